function f($n) { if $n > 0 { $m = $n * 2; [$m] + f($n - 1) } else { [] } } f(3)

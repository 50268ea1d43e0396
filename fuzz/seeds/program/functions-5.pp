function f($n) { if $n <= 1 { 1 } else { $n * f($n - 1) } } f(10)

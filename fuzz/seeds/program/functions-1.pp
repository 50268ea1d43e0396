function f($n = 'abc' =~ /(b)/, $m = $1) { $m } f()

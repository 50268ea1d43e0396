function f($a, $b) { [$a, $b] } f(1, a => 1, b => 2)

function f($x) { if $x == 0 { 'done' } else { call('f', $x - 1) } } f(20)

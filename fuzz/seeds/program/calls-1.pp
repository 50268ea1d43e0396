function f($x) { [1].each |$y| { return($y) } 'late' } f(1)

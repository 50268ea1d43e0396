function f($x) >> String { if $x { return(1) } 'late' } f(true)

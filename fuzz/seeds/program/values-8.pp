function f() { 1.convert_to(String) |$x| { return(9) } 8 } f()

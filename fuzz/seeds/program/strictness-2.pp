function f() { $nope } f()

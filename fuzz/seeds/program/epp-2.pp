function f($x) { epp('site/plain', {x => $x}) } f('in a function')

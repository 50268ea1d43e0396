function f($local) { inline_epp('<%= $local %>') } f('local')

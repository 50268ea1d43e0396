type(1)
$x.type
$x.type()

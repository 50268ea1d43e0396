$0
$12
$_x
$::_x
$a::_b
$fooBar

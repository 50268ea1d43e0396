class a($x = 1, $y) {}
define a($x = 1, $y) {}
function a($x = 1, $y) {}
f() |$x = 1, $y| {}


class a($x, String $y, $z = 1, Integer[1, 2] $w = 2) {}
class a($x = $y) {}
f() |$x, $x| {}
function a($name, $title) {}
class a($trusted) {}
function a(*$x) {}
function a($x, Integer *$y) {}
f() |*$x| {}
function a(*$x, $y) {}
function a(*$x = 1) {}


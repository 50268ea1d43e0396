class a(Integer[1, $x] $y) {}
class a(Integer[1, 1 + 1] $y) {}
class a(Enum['a', "b${x}"] $y) {}
class a(Struct[{a => Integer}] $y) {}
class a(Enum[a, b] $y) {}
define a(Integer[1, $x] $y) {}
function a(Integer[1, $x] $y) {}
f() |Integer[1, $x] $y| {}

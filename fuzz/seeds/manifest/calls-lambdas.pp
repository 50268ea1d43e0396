$x.each |$y| { f($y) }
$x.each |$k, $v| { }
$x.each |$k, $v,| { }
f(1) |$y| { }
f() | | { 1 }
f() || { 1 }
$x.map |Integer $y = 1| { $y }
$x.map |$y| >> Integer { $y }
$x.map |$y| { $a = 1 $a }

$x.f
$x.f()
$x.f(1, 2)
$x.f.g.h
$x.f |$y| { }
$x.f(1) |$y| { 1 }
1.f
'a'.f
[1].f
$x . f
$x
  .f
$x.a::b
$x.type

class A($x, $x) {
  $y += 1
  $a::b = 2
  file { 'a': mode +> 1 }
}
node a inherits b { }



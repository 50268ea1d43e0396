$x = 1; with(2) |$a| { $y = $x; $x = $a; [$y, $x] }

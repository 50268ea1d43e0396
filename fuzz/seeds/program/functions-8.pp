with(1) |$x| { with(2) |$y| { with(3) |$z| { [$x, $y, $z] } } }

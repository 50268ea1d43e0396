[1, 2, 3].all |$x| { if $x == 2 { next() } notice($x) true }

[1, 2, 3].filter |$x| { if $x == 2 { next(false) } notice($x) true }

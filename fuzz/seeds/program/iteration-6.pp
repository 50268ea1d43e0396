[1, 2].filter |$x| { [3, 4].filter |$y| { if $y == 4 { break() } notice([$x, $y]) true } }

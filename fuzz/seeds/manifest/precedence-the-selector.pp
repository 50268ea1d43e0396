$r = 1 + 2 ? { 3 => yes }
$r = true and false ? { false => 1, true => 2 }
$r = 1 ? { 1 => 2 } + 3
$r = $a ? { 1 => $b ? { 2 => 3 } }
$r = $a ? { 1 => 2 } ? { 2 => 3 }
$r = $a == 1 ? { true => 2 }
$r = $a ? 1 => 2


$squares = Integer[1, 20000].map |$index, $x| { with($x, $index) |Integer $a, Integer $b| { $a * $b } }
$squares.filter |Integer $x| { $x > 100 }.length

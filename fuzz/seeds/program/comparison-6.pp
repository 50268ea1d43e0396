min([3, 1, 2]) |$a, $b| { notice([$a, $b]) compare($a, $b) }

min([a, bb, c]) |$a, $b| { compare(length($a), length($b)) }

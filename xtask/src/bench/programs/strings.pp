$names = Integer[1, 10000].map |$x| { "host-${x}.example.com:${$x + 8000}" }
$names.join(',').length

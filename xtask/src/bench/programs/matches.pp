$found = Integer[1, 10000].filter |$x| { "node${x}.example.com" =~ /^node(\d+)\.(\w+)/ and $1 =~ /[37]$/ }
$found.length

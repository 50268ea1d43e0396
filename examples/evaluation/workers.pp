function workers(Integer[1] $share = 4) >> Integer {
  $gigabytes = $facts['memory']['system']['total_bytes'] / 1073741824
  $gigabytes * $share
}

type Port = Integer[1024, 65535]

$vhosts = { 'shop' => 8080, 'blog' => 80 }
$vhosts.each |$name, $port| {
  notice("${name}: ${workers()} workers on port ${port}")
  $unprivileged = $port =~ Port
  unless $unprivileged { warning("${name} needs root for port ${prot}") }
}

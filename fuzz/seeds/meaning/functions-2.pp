class ntp {
  $a = ntp::server(1)
  $b = server(1)
  $c = ntp::private::servers(1)
  if $facts['os']['family'] == 'Darwin' {
    $d = ntp::sever(2)
  }
  file { '/etc/ntp.conf':
    content => ntp::config($a),
  }
}
function ntp::server(Integer $count) >> Array {
  Integer[1, $count].map |$n| { "${n}.pool.ntp.org" }
}

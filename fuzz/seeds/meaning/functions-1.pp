$v = nosuchfn(1)
notise('a typing mistake')
$hosts = ['a', 'b'].mapp |$it| { upcase($it) }
$port = "80".to_integer
notice(ntp::servers(3))
function ntp::server(Integer $count) >> Array {
  Integer[1, $count].map |$n| { "${n}.pool.ntp.org" }
}

node 'a.example.org' { $x = lookupp('port') }
$text = "there are ${sizeof([1])} of them"
define site::vhost(Integer $port = default_port()) { }
function ntp::a($x) { $x.then |$it| { ntp::b($it) } }

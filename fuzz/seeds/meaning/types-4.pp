web::vhost { 'a': port => undef, other => 'x', more => 1 }
define web::vhost(Integer $port = 80, Nobody::Knows $other = 1, Web::Odd $more = {}) { }
type Web::Odd = Variant[String, Nobody::Knows]

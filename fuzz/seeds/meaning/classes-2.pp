include foo::service
notice($foo::service::port)
foo::line { 'a': }
Foo::Line['a'] -> Class['foo::service']
class foo::servcie { $port = 1 }
define foo::lnie { }
class foo { }

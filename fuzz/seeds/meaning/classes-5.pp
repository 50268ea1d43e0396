include 'Foo::Bar', '::foo::bar', site::local, foo::bar::inner
class site::local { }
class { default: tag => 'x'; 'foo': }
contain $facts['classes'], [$facts['more'], 'foo']
class foo { include stdlib, stdlib::stages }
class foo::bar { class inner { } }

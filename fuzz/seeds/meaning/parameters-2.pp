class { 'foo::bar': prt => 1, tag => 'a', noop => true, stage => 'main', require => Notify['x'], loglevel => 'debug', name => 'x' }
foo::thing { 'a': size => 3, before => Notify['x'], schedule => 'daily', audit => all, alias => 'b' }
foo::thing { 'b': * => { sze => 3 } }
class { $facts['foo']: zzz => 1 }
Foo::Thing { size => 2, noop => true }
elsewhere::thing { 'a': zzz => 1 }
notify { 'x': }
stage { 'first': before => Stage['main'] }
class foo::bar (Integer $prt) { }
define foo::thing (Integer $size = 1) { }
define elsewhere::thing (Integer $size = 1)) { }

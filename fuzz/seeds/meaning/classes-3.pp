node 'a.example.org' { include role::web }
node /^b/ { class { 'role::db': tag => 'x' } }
class { ['foo', 'foo::two']: }
Class['foo'] -> class { 'foo::four': }
['a'].each |$it| { contain foo::five }
$x = $facts['kernel'] ? { 'Linux' => include('foo::six'), default => undef }
unless $facts['is_virtual'] { require foo::seven } else { include(foo, foo::eight) }
include foo::thing
class foo { }
define foo::thing { contain foo::bar }
class role { }

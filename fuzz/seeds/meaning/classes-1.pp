include foo
include foo::missing
class { 'foo::bar': }
if $facts['kernel'] == 'Darwin' { contain ::foo::baz, 'foo::no', Class['foo::nono'] }
class foo inherits foo::parms {
}
class foo::bar { class baz { } }
class foo::baz { include bar }

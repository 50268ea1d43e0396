class { 'foo::bar': prt => 1, zzz => 2 }
foo::thing { 'a': sze => 3 }
foo::thing {
  default: size => 2;
  'b': colour => 'red';
  ['c', 'd']: size => 3, ensure => present;
}
node default {
  class { '::foo::bar':
    prt       => 1,
    loglevl   => 'debug',
  }
}
@foo::thing { 'e': title => 'x' }
foo::thing { 'f': stage => 'main' }
Foo::Thing { siez => 3 }
Foo::Thing['a'] { weight => 3 }
Foo::Thing <| title == 'a' |> { heigth => 3 }
class foo::bar (Integer $prt) {
  if $facts['kernel'] == 'Darwin' {
    foo::thing { 'dead': sze => 3 }
  }
  $facts['mountpoints'].each |$mount, $options| {
    foo::thing { $mount: owner => 'root' }
  }
  $text = epp('foo/motd', { 'name2' => 'x', 'user' => 'y' })
  $plain = epp('foo/plain', { anything => 1 })
}
define foo::thing (Integer $size = 1) { }
class foo::none {
  class { 'foo::base': ensure => present }
}
class foo::base { }

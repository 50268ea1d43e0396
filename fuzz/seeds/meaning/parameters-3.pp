class { 'foo::bar': }
foo::user { 'alice': }
foo::user { 'bob': uid => 1001, shell => '/bin/sh' }
foo::user {
  default: home => '/home';
  'carol': ;
  'dave': uid => 1002;
}
foo::user { "x${facts['xx']}": home => '/' }
$text = epp('foo/motd')
$more = epp('foo/motd.epp', { 'greeting' => 'Hi' })
class foo::bar (Integer $prt, Optional[Integer] $other = undef) {
  if $facts['kernel'] == 'Darwin' {
    foo::user { ['e', 'f']: uid => 1 }
  }
}
define foo::user (Integer $uid, Optional[String] $home, $shell = '/bin/bash') { }

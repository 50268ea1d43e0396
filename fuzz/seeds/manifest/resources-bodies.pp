file { '/etc/motd':
  ensure  => file,
  content => "hello\n",
}

file {
  default:
    mode => '0644';
  '/a':
    content => 'a';
  ['/b', '/c']:
    ensure => absent,
    ;
}

file { 'a': }
file { 'a': ; }
file { 'a': mode => 1 }
file { 'a': mode => 1, }
file { 'a': mode => 1; 'b': mode => 2 }
file { 'a': mode => 1; 'b': mode => 2; }
file { $x: }
file { [a, b]: }
file { "a${b}": }
file { a::b: }
class { 'a': x => 1 }
class { a: }
file { 'a': , mode => 1 }


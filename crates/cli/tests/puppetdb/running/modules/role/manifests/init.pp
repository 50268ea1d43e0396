class role(Sensitive[String] $secret = Sensitive('hidden'), Integer $number = 3) {
  file { '/etc/a':
    content => $secret,
    require => [Package['b', 'a']],
    tag     => ['z', 'y'],
    mode    => '0644',
    alias   => 'other',
  }
  package { ['a', 'b']: ensure => installed }
  exec { '/bin/true': subscribe => File['/etc/a'], environment => ['A=1', 'B=2'], returns => [0, 1] }
  user { 'me': name => 'me2', uid => 12 }
  notify { 'rich': message => [/re/, 1.5, undef, default, Integer[1], SemVer('1.2.3')] }
  notify { 'nested': message => { 'a' => { 'b' => [1, 2.0, true, undef] }, 'c' => 'ä€' } }
  notify { 'deep': message => { 'a' => [Sensitive('hidden')] }, require => Exec['/bin/true'] }
  notify { 'reference': message => [File['/etc/a'], Class['role']] }
  role::part { 'one': number => $number }
  @@notify { 'exported': message => 'elsewhere' }
  @@notify { 'both': message => 'here, too' }
  Notify <<| title == 'both' |>>
}

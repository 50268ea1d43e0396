notify { 'q': message => epp('foo/none.epp') }
$a = template('foo/x.erb')
$b = template('foo/there.erb', 'foo/gone.erb')
$c = epp('foo/motd.erb', { user => 'x' })
$d = epp('nomodule/motd')
$e = 'foo/sub/motd'.epp
class foo {
  if $facts['os']['family'] == 'Darwin' {
    file { '/etc/motd': content => epp('foo/templates/motd.epp') }
  }
  file { '/etc/issue': content => template('foo/issue') }
}

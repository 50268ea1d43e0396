include ntp::config
ntp::pool { 'x': }
$x = ntp::format('x')
$y = 'x' =~ Ntp::Secret
class web inherits ntp::config {
  if $facts['kernel'] == 'Linux' {
    contain ntp, 'ntp::guarded'
  }
}
class web::direct {
  class { 'ntp::config': }
}
class ntp {
  contain ntp::config
  contain ntp::guarded
  ntp::pool { 'a': }
  notice(ntp::format('a') =~ Ntp::Secret)
}
class ntp::config { }
class ntp::guarded {
  assert_private("class ${title} belongs to the module")
}
define ntp::pool { }
function ntp::format($x) { $x }
type Ntp::Secret = String

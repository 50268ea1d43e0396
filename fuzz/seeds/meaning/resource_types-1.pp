nosuchtype { 'y': a => 1 }
fiel { '/etc/motd': content => 'hello' }
node 'a.example.org' {
  @usr { 'alice': ensure => present }
}
create_resources('servce', { 'ntp' => { ensure => running } })
class ntp {
  package { 'ntp': ensure => installed }
  -> ntp::server { 'a.pool.ntp.org': }
  pool { 'b.pool.ntp.org': }
  ntp::pool { 'c.pool.ntp.org': }
  if $facts['kernel'] == 'Darwin' {
    ::ntp::pol { 'd': }
  }
}
define ntp::pool {
  ['iburst'].each |$option| { ntp::option { $option: } }
}

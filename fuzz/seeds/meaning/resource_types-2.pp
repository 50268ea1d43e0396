define site::user { }
site::user { 'a': }
Exec { path => '/usr/bin' }
exec { 'true': }
vcsrepo { '/srv/a': ensure => present }
cron { 'backup': command => 'backup' }
a10 { 'x': }
ours { 'x': }
beside { 'x': }
class { 'ntp': }
$type = 'anything'
Resource[$type] { 'x': }
create_resources($type, {})
class ntp { ::ntp::pool { 'a': } }
define ntp::pool { }
Puppet::Resource::ResourceType3.new('a10', [], [], {}, true, false)

file { '/tmp/x': ensure => present, path => '/tmp/y', seluser => 'x', name => '/tmp/z', loglevel => debug }
exec { 'x': command => 'true', path => '/bin', onlyif => 'x', provider => shell, tag => ['a'], schedule => 'daily' }
package { 'x': ensure => latest, flavor => 'x', mark => 'hold', * => $facts['more'] }
unread { '/srv': anything => 1 }
cron { 'x': anything => 1 }
package { 'y': added => true }
$type = 'file'
Resource[$type] { 'x': ensur => 1 }

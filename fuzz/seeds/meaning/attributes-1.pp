file { '/tmp/x': ensur => present }
package { 'ntp':
  ensure  => installed,
  vesion  => '1.2',
}
service { 'ntp': ensure => running, enabled => true }
user {
  'alice': uid => 1001;
  'bob': uid => 1002, homedir => '/home/bob';
}
exec { '/bin/true': unles => '/bin/false', refreshonly => true }
notify { 'x': ensure => present }
@group { 'staff': id => 50 }
File { ower => 'root' }
File['/tmp/x'] { mod => '0644' }
User <| |> { expire => '2030-01-01' }
file { '/tmp/y': stage => 'main' }
file { '/tmp/z': title => 'main' }
tidy { '/tmp': max_size => '1m' }
class ntp {
  $facts['disks'].each |$name, $disk| {
    file { "/mnt/${name}": ensure => directory, chmod => '0755' }
  }
  if $facts['kernel'] == 'Darwin' {
    schedule { 'daily': every => 'day' }
  }
}

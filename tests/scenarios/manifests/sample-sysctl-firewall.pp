# sample
class site_fw_pre {
    Firewall { require => undef }
    firewall { '000 accept all icmp': proto => 'icmp', action => 'accept' }
    -> firewall { '001 accept all to lo interface': proto => 'all', iniface => 'lo', action => 'accept' }
    -> firewall { '002 reject local traffic not on loopback interface': iniface => '! lo', proto => 'all', destination => '127.0.0.1/8', action => 'reject' }
    -> firewall { '003 accept related established rules': proto => 'all', state => ['RELATED', 'ESTABLISHED'], action => 'accept' }
  }
class site_fw_post { firewall { '999 drop all': proto => 'all', action => 'drop', before => undef } }
node default {
  resources { 'firewall': purge => true }
  Firewall { before => Class['site_fw_post'], require => Class['site_fw_pre'] }
  include firewall
  include site_fw_pre
  include site_fw_post
  $open = { 'ssh' => 22, 'http' => [80, 443], 'puppet' => 8140 }
  $open.each |$n, $p| { firewall { "100 allow ${n}": dport => $p, proto => 'tcp', action => 'accept' } }
  firewallchain { 'LOGGING:filter:IPv4': ensure => present }
  sysctl::value { 'net.ipv4.ip_forward': value => '1' }
  sysctl::value { 'net.ipv4.tcp_mem': value => "786432\t1048576\t1572864" }
  class { 'sysctl::values': args => { 'vm.swappiness' => { 'value' => '10' }, 'fs.file-max' => { 'value' => '500000' } } }
  kmod::load { 'br_netfilter': }
  kmod::blacklist { 'floppy': }
  kmod::option { 'bond0': module => 'bonding', option => 'mode', value => '4' }
}

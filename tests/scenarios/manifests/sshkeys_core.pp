# debian-12 redhat-9 ubuntu-22.04
ssh_authorized_key { 'example':
  ensure => 'present',
  type => 'tcp',
  key => '/etc/example/key',
  user => 'appuser',
  target => 'target-value',
}
sshkey { 'example':
  ensure => 'present',
  key => '/etc/example/key',
  host_aliases => ['host_aliase1', 'host_aliase2'],
  target => 'target-value',
}

# debian-12 redhat-9 ubuntu-22.04
host { 'example':
  ensure => 'present',
  ip => '192.0.2.114',
  host_aliases => ['host_aliase1', 'host_aliase2'],
  comment => 'comment-value',
  target => 'target-value',
}

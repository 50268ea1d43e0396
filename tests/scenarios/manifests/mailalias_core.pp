# debian-12 redhat-9 ubuntu-22.04
mailalias { 'example':
  ensure => 'present',
  recipient => 'recipient-value',
  file => '/etc/example/file',
  target => 'target-value',
}

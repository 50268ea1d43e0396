# debian-12 redhat-9 ubuntu-22.04
class { 'etcd':
  cert_file => '/etc/example/cert-file',
}
etcd_key { 'example':
  ensure => 'present',
  value => 'value-value',
  peers => ['peer1', 'peer2'],
  cert_file => '/etc/example/cert-file',
  key_file => '/etc/example/key-file',
}

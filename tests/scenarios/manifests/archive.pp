# debian-12 redhat-9 ubuntu-22.04
class { 'archive':
  seven_zip_provider => 'example.seven_zip_provider',
}
archive::download { 'example':
  url          => 'http://192.0.2.40:9292/v1',
  ensure       => 'present',
  checksum     => false,
  verbose      => false,
  proxy_server => 'proxy-server-value',
}
archive::nexus { 'example':
  url             => 'http://192.0.2.40:9292/v1',
  gav             => 'gav-value',
  repository      => 'repository-value',
  checksum_verify => false,
  packaging       => 'jar',
  classifier      => 'classifier-value',
  extension       => 'extension-value',
  user            => 'appuser',
  mode            => '0640',
}
include archive::staging
archive { '/srv/example':
  ensure => 'present',
  creates => ['create1', 'create2'],
  filename => 'example_filename',
  extract => 'extract-value',
  extract_path => '/srv/extract-path',
}

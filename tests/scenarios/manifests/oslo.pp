# debian-12 redhat-9 ubuntu-22.04
include oslo
oslo::coordination { 'example':
  backend_url    => 'http://192.0.2.40:9292/v1',
  package_ensure => 'present',
  manage_config  => false,
}

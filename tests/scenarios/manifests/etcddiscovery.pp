# debian-12 redhat-9 ubuntu-22.04
class { 'etcddiscovery':
  package_ensure      => 'present',
  web_service_address => '192.0.2.120',
  enabled             => false,
}
etcddiscovery_config { 'example':
  ensure => 'present',
  value => 'value-value',
  secret => 's3cr3t',
  ensure_absent_val => 'ensure-absent-val-value',
}

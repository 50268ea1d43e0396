# debian-12 redhat-9 ubuntu-22.04
class { 'firewall::linux':
  service_name    => 'example_service_name',
  service_name_v6 => 'service-name-v6-value',
}
class { 'firewall::linux::gentoo':
  ensure         => 'present',
  package_name   => 'example_package_name',
  package_ensure => 'present',
}
firewall { 'example':
  ensure => 'present',
  action => 'action-value',
  source => 'source-value',
  src_range => 'src-range-value',
  destination => 'destination-value',
}
firewallchain { 'example':
  ensure => 'present',
  policy => 'policy-value',
  purge => false,
  ignore => 'ignore-value',
  ignore_foreign => 'ignore-foreign-value',
}

# debian-12 ubuntu-22.04
class { 'powerdns':
  source => 'source-value',
}
powerdns::config { 'example':
  value => 'value-value',
}
class { 'powerdns::ldap':
  package => 'package-value',
}
class { 'powerdns::mysql':
  source   => 'source-value',
  password => 's3cr3t',
  host     => '192.0.2.132',
}
class { 'powerdns::postgresql':
  ensure => 'present',
  user   => 'appuser',
}
class { 'powerdns::recursor':
  ensure           => 'present',
  local_address    => '192.0.2.91',
  logging_facility => 'logging-facility-value',
  setuid           => 'pdns',
}

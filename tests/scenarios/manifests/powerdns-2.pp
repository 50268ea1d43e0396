# redhat-9
class { 'powerdns':
  source => 'source-value',
}
powerdns::config { 'example':
  value => 'value-value',
}
class { 'powerdns::ldap':
  package => 'package-value',
}
class { 'powerdns::recursor':
  ensure           => 'present',
  local_address    => '192.0.2.91',
  logging_facility => 'logging-facility-value',
  setuid           => 'pdns',
}

# debian-12 redhat-9 ubuntu-22.04
alternative_entry { 'example':
  ensure => 'present',
  altlink_ro => 'altlink-ro-value',
  altname => 'example_altname',
  priority => 60,
}
alternatives { 'example':
  mode => '0640',
}

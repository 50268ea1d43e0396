# debian-12 redhat-9 ubuntu-22.04
selboolean { 'example':
  value => 'value-value',
  persistent => 'persistent-value',
}
selmodule { 'example':
  ensure => 'present',
  syncversion => '2.4',
  selmoduledir => '/srv/selmoduledir',
  selmodulepath => '/srv/selmodulepath',
}

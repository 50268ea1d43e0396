# debian-12 ubuntu-22.04
class { 'redis':
  extra_config_file => '/etc/example/extra-config-file',
}
redis::instance { 'example':
  save_db_to_disk => 'save-db-to-disk-value',
  slave_priority  => 60,
  ulimit          => 1,
}

# debian-12 ubuntu-22.04
postgresql::server::grant_role { 'example':
  group            => 'appgroup',
  role             => 'role-value',
  psql_db          => 'psql-db-value',
  psql_user        => 'appuser',
  port             => '4641',
  connect_settings => { 'alpha' => 'one', 'beta' => '2' },
}
postgresql::server::pg_ident_rule { 'example':
  map_name          => 'example_map_name',
  system_username   => 'appuser',
  database_username => 'appuser',
  description       => 'none',
  target            => 'target-value',
}
class { 'postgresql::repo':
  proxy => 'proxy-value',
}
include postgresql::server::initdb
include postgresql::server::install
include postgresql::server::passwd
include postgresql::server::service
postgresql_conf { 'example':
  ensure => 'present',
  value => 'value-value',
  target => 'target-value',
}
postgresql_conn_validator { 'example':
  ensure => 'present',
  db_name => 'example_db_name',
  db_username => 'appuser',
  db_password => 's3cr3t',
  host => '192.0.2.56',
}
postgresql_psql { 'example':
  command => 'command-value',
  unless => ['unles1', 'unles2'],
  onlyif => 'onlyif-value',
  connect_settings => { 'alpha' => 'one', 'beta' => '2' },
  db => 'db-value',
}
postgresql_replication_slot { 'example':
  ensure => 'present',
}

# debian-12 redhat-9 ubuntu-22.04
mysql::db { 'example':
  user          => 'appuser',
  password      => 's3cr3t',
  collate       => 'utf8_general_ci',
  grant_options => { 'alpha' => 'one', 'beta' => '2' },
  sql           => ['sql-value'],
  enforce_sql   => true,
  ensure        => 'present',
}
class { 'mysql::bindings':
  php_package_provider => 'example.php_package_provider',
}
class { 'mysql::server':
  root_password => 's3cr3t',
}
class { 'mysql::backup::mysqlbackup':
  maxallowedpacket   => '1M',
  backupdir          => '/srv/backupdir',
  backupdirgroup     => 'appgroup',
  backupcompress     => false,
  backupmethod       => 'backupmethod-value',
  ignore_events      => false,
  delete_before_dump => true,
  prescript          => true,
}
include mysql::bindings::client_dev
include mysql::bindings::daemon_dev
include mysql::bindings::java
include mysql::bindings::perl
include mysql::bindings::php
include mysql::bindings::python
include mysql::bindings::ruby
class { 'mysql::server::monitor':
  mysql_monitor_username => 'appuser',
  mysql_monitor_password => 's3cr3t',
}
class { 'mysql::server::mysqltuner':
  ensure => 'present',
}
mysql_database { '/srv/example':
  ensure => 'present',
  charset => 'charset-value',
  collate => 'collate-value',
}
mysql_datadir { 'example':
  ensure => 'present',
  basedir => '/srv/basedir',
  user => 'appuser',
  defaults_extra_file => '/etc/example/defaults-extra-file',
  insecure => true,
}
mysql_grant { 'example':
  ensure => 'present',
  privileges => ['privilege1', 'privilege2'],
  table => 'table-value',
  user => 'appuser',
  options => { 'alpha' => 'one', 'beta' => '2' },
}
mysql_plugin { 'example':
  ensure => 'present',
  soname => 'example_soname',
}
mysql_user { 'example':
  ensure => 'present',
  password_hash => { 'alpha' => 'one', 'beta' => '2' },
  plugin => 'example.plugin',
  max_user_connections => 1,
  max_connections_per_hour => 1,
}

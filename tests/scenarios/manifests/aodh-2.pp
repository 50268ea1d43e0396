# debian-12 redhat-9 ubuntu-22.04
class { 'aodh::db::sync':
  user            => 'appuser',
  db_sync_timeout => 301,
}
class { 'aodh::keystone::auth':
  password            => 's3cr3t',
  tenant              => 'example_tenant',
  roles               => ['role1', 'role2'],
  configure_user_role => false,
  service_description => 'OpenStack Alarming Service',
  region              => 'RegionOne',
  public_url          => 'http://192.0.2.40:9292/v1',
  internal_url        => 'http://192.0.2.40:9292/v1',
  admin_url           => 'http://192.0.2.40:9292/v1',
}
class { 'aodh::wsgi::apache':
  port                      => 8043,
  ssl_key                   => '/etc/example/ssl-key',
  ssl_crl                   => 'ssl-crl-value',
  wsgi_process_display_name => 'example_wsgi_process_display_name',
  access_log_pipe           => 'access-log-pipe-value',
  error_log_pipe            => 'error-log-pipe-value',
}
class { 'aodh::wsgi::uwsgi':
  listen_queue_size => 101,
}
aodh_api_paste_ini { 'example':
  ensure => 'present',
  value => 'value-value',
  secret => 's3cr3t',
  ensure_absent_val => 'ensure-absent-val-value',
  key_val_separator => 'key-val-separator-value',
}
aodh_api_uwsgi_config { 'example':
  ensure => 'present',
  value => 'value-value',
  ensure_absent_val => 'ensure-absent-val-value',
}

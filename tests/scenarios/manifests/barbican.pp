# debian-12 redhat-9 ubuntu-22.04
class { 'barbican':
  package_ensure => 'present',
  purge_config   => true,
}
include barbican::client
include barbican::config
class { 'barbican::cors':
  allow_credentials => false,
  max_age           => 300,
}
class { 'barbican::db':
  database_connection     => 'mysql+pymysql://user:pw@192.0.2.20/db',
  database_db_max_retries => 5,
  mysql_enable_ndb        => 'mysql-enable-ndb-value',
}
class { 'barbican::healthcheck':
  backends => 'example.backends',
}
class { 'barbican::quota':
  quota_cas => ['quota_ca1', 'quota_ca2'],
}
class { 'barbican::retry_scheduler':
  initial_delay_seconds         => ['initial_delay_second1', 'initial_delay_second2'],
  periodic_interval_max_seconds => ['periodic_interval_max_second1', 'periodic_interval_max_second2'],
}
class { 'barbican::worker':
  manage_service => false,
}
class { 'barbican::api::logging':
  use_stderr                  => false,
  log_facility                => 'log-facility-value',
  debug                       => true,
  logging_debug_format_suffix => 'logging-debug-format-suffix-value',
  logging_exception_prefix    => 'logging-exception-prefix-value',
  log_config_append           => 'log-config-append-value',
  publish_errors              => ['publish_error1', 'publish_error2'],
  log_date_format             => 'log-date-format-value',
}
class { 'barbican::db::mysql':
  password => 's3cr3t',
}
class { 'barbican::db::sync':
  db_sync_timeout => 301,
}
class { 'barbican::keystone::auth':
  password            => 's3cr3t',
  tenant              => 'example_tenant',
  roles               => ['role1', 'role2'],
  system_scope        => 'all',
  system_roles        => ['system_role-1', 'system_role-2'],
  configure_user      => false,
  service_description => 'Key management Service',
  service_name        => 'example_service_name',
  service_type        => 'tcp',
  region              => 'RegionOne',
  public_url          => 'http://192.0.2.40:9292/v1',
}
class { 'barbican::keystone::notification':
  enable_keystone_notification           => true,
  keystone_notification_control_exchange => 'keystone-notification-control-exchange-value',
  keystone_notification_topic            => 'keystone-notification-topic-value',
}
class { 'barbican::plugins::dogtag':
  dogtag_plugin_nss_password       => 's3cr3t',
  dogtag_plugin_ensure_package     => 'present',
  dogtag_plugin_dogtag_host        => '192.0.2.97',
  dogtag_plugin_nss_db_path        => '/srv/dogtag-plugin-nss-db-path',
  dogtag_plugin_ca_expiration_time => 'dogtag-plugin-ca-expiration-time-value',
  dogtag_plugin_plugin_working_dir => '/srv/dogtag-plugin-plugin-working-dir',
  global_default                   => true,
}
class { 'barbican::plugins::p11_crypto':
  p11_crypto_plugin_library_path         => '/srv/p11-crypto-plugin-library-path',
  p11_crypto_plugin_login                => 'p11-crypto-plugin-login-value',
  p11_crypto_plugin_mkek_label           => 'p11-crypto-plugin-mkek-label-value',
  p11_crypto_plugin_mkek_length          => 'p11-crypto-plugin-mkek-length-value',
  p11_crypto_plugin_hmac_label           => 'p11-crypto-plugin-hmac-label-value',
  p11_crypto_plugin_slot_id              => 'p11-crypto-plugin-slot-id-value',
  p11_crypto_plugin_encryption_mechanism => 'p11-crypto-plugin-encryption-mechanism-value',
  p11_crypto_plugin_os_locking_ok        => 'p11-crypto-plugin-os-locking-ok-value',
  global_default                         => true,
}

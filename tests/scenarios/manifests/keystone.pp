# debian-12 redhat-9 ubuntu-22.04
class { 'keystone':
  package_ensure        => 'present',
  client_package_ensure => 'present',
  revoke_by_id          => false,
  public_endpoint       => 'http://192.0.2.40:9292/v1',
  notification_driver   => 'example.notification_driver',
  notification_format   => 'notification-format-value',
  sync_db               => false,
  fernet_key_repository => '/etc/keystone/fernet-keys',
  purge_config          => true,
  log_file              => '/etc/example/log-file',
}

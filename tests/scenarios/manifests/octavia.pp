# debian-12 redhat-9 ubuntu-22.04
class { 'octavia':
  package_ensure                     => 'present',
  rabbit_use_ssl                     => 'rabbit-use-ssl-value',
  rabbit_heartbeat_timeout_threshold => 'rabbit-heartbeat-timeout-threshold-value',
  rabbit_ha_queues                   => ['rabbit_ha_queue1', 'rabbit_ha_queue2'],
  amqp_durable_queues                => ['amqp_durable_queue1', 'amqp_durable_queue2'],
  amqp_ssl_key_file                  => '/etc/example/amqp-ssl-key-file',
  amqp_username                      => 'appuser',
}
class { 'octavia::audit':
  audit_map_file => '/etc/example/audit-map-file',
}
class { 'octavia::certificates':
  cert_validity_time => 'cert-validity-time-value',
  client_ca          => '/etc/example/client-ca',
}
class { 'octavia::cinder':
  endpoint                     => 'http://192.0.2.40:9292/v1',
  region_name                  => 'RegionOne',
  volume_type                  => 'tcp',
  volume_create_retry_interval => 1,
  volume_create_timeout        => 10,
  volume_create_max_retries    => 10,
}
class { 'octavia::client':
  ensure => 'present',
}
class { 'octavia::compute':
  retry_backoff => 'retry-backoff-value',
  retry_max     => 60,
}
include octavia::config
include octavia::controller

# debian-12 redhat-9 ubuntu-22.04
class { 'nova':
  rabbit_use_ssl   => 'rabbit-use-ssl-value',
  amqp_ssl_ca_file => '/etc/example/amqp-ssl-ca-file',
  ovsdb_connection => 'mysql+pymysql://user:pw@192.0.2.20/db',
}
nova::generic_service { 'example':
  package_name => 'example_package_name',
  service_name => 'example_service_name',
  enabled      => false,
}
nova::compute::mdev_type { 'example':
  mdev_type        => 'tcp',
  device_addresses => ['device_addresse1', 'device_addresse2'],
}
class { 'nova::availability_zone':
  default_availability_zone => 'default-availability-zone-value',
}
class { 'nova::cache':
  backend                   => 'example.backend',
  backend_argument          => 'backend-argument-value',
  memcache_socket_timeout   => 60,
  socket_keepalive_interval => 10,
  manage_backend_package    => false,
  tls_enabled               => true,
  tls_cafile                => '/etc/example/tls-cafile',
  retry_attempts            => 5,
  hashclient_retry_attempts => 300,
}
class { 'nova::cinder':
  password            => 's3cr3t',
  timeout             => 1,
  project_domain_name => 'example_project_domain_name',
  system_scope        => 'system-scope-value',
  catalog_info        => 'catalog-info-value',
  http_retries        => 60,
}
include nova::client

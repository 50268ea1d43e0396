# debian-12 redhat-9 ubuntu-22.04
class { 'octavia::cors':
  allowed_origin    => 'allowed-origin-value',
  allow_credentials => false,
  expose_headers    => ['expose_header1', 'expose_header2'],
}
class { 'octavia::db':
  database_connection_recycle_time => 'database-connection-recycle-time-value',
  database_max_retries             => 10,
  database_retry_interval          => 1,
  database_pool_timeout            => 1,
  database_db_max_retries          => 10,
}
class { 'octavia::driver_agent':
  package_ensure                  => 'present',
  get_socket_path                 => '/srv/get-socket-path',
  status_request_timeout          => 300,
  status_max_processes            => 60,
  stats_request_timeout           => 60,
  get_max_processes               => 1,
  provider_agent_shutdown_timeout => 10,
  enabled_provider_agents         => ['enabled_provider_agent1', 'enabled_provider_agent2'],
}
class { 'octavia::glance':
  endpoint_type => 'tcp',
}
class { 'octavia::healthcheck':
  disable_by_file_paths => false,
}
class { 'octavia::housekeeping':
  load_balancer_expiry_age => 'load-balancer-expiry-age-value',
  cert_interval            => 1,
  cert_expiry_buffer       => 'cert-expiry-buffer-value',
  cert_rotate_threads      => 5,
}
class { 'octavia::logging':
  use_journal                   => true,
  log_facility                  => 'log-facility-value',
  log_dir                       => '/srv/log-dir',
  debug                         => false,
  logging_context_format_string => 'logging-context-format-string-value',
  logging_default_format_string => 'logging-default-format-string-value',
  logging_debug_format_suffix   => 'logging-debug-format-suffix-value',
  publish_errors                => ['publish_error1', 'publish_error2'],
  fatal_deprecations            => ['fatal_deprecation1', 'fatal_deprecation2'],
  instance_format               => 'instance-format-value',
}
class { 'octavia::networking':
  retry_max                      => 10,
  allow_invisible_resource_usage => false,
}
include octavia::neutron
class { 'octavia::nova':
  endpoint          => 'http://192.0.2.40:9292/v1',
  region_name       => 'RegionOne',
  availability_zone => 'availability-zone-value',
}
class { 'octavia::quota':
  default_pool_quota           => 'default-pool-quota-value',
  default_health_monitor_quota => 'default-health-monitor-quota-value',
}
include octavia::roles
class { 'octavia::service_auth':
  password     => 's3cr3t',
  username     => 'appuser',
  system_scope => 'system-scope-value',
  auth_type    => 'tcp',
  region_name  => 'RegionOne',
}
class { 'octavia::task_flow':
  max_workers                => 60,
  jobboard_backend_port      => '1574',
  jobboard_backend_namespace => 'jobboard-backend-namespace-value',
  persistence_connection     => 'mysql+pymysql://user:pw@192.0.2.20/db',
}

# debian-12 redhat-9 ubuntu-22.04
include ironic::config
class { 'ironic::cors':
  allow_credentials => true,
  allow_methods     => false,
  allow_headers     => true,
}
class { 'ironic::db':
  database_connection_recycle_time => 'database-connection-recycle-time-value',
  database_max_retries             => 5,
  database_retry_interval          => 60,
  database_max_pool_size           => 5,
}
class { 'ironic::disk_utils':
  partprobe_attempts => 10,
}
class { 'ironic::glance':
  auth_type        => 'tcp',
  user_domain_name => 'example_user_domain_name',
  system_scope     => 'system-scope-value',
  region_name      => 'RegionOne',
}
class { 'ironic::healthcheck':
  enabled               => false,
  backends              => 'example.backends',
  disable_by_file_path  => true,
  disable_by_file_paths => false,
}
class { 'ironic::json_rpc':
  auth_strategy       => 'keystone',
  auth_type           => 'tcp',
  project_name        => 'example_project_name',
  password            => 's3cr3t',
  project_domain_name => 'example_project_domain_name',
  allowed_roles       => ['allowed_role1', 'allowed_role2'],
}
class { 'ironic::logging':
  use_json                      => true,
  log_dir                       => '/srv/log-dir',
  log_file                      => '/etc/example/log-file',
  logging_context_format_string => 'logging-context-format-string-value',
  logging_exception_prefix      => 'logging-exception-prefix-value',
  log_config_append             => 'log-config-append-value',
  log_date_format               => 'log-date-format-value',
}
class { 'ironic::neutron':
  auth_type                     => 'tcp',
  user_domain_name              => 'example_user_domain_name',
  system_scope                  => 'system-scope-value',
  dhcpv6_stateful_address_count => 60,
}
class { 'ironic::nova':
  auth_url          => 'http://192.0.2.40:9292/v1',
  username          => 'appuser',
  password          => 's3cr3t',
  user_domain_name  => 'example_user_domain_name',
  endpoint_override => 'endpoint-override-value',
}
class { 'ironic::pxe':
  http_root               => '/srv/http-root',
  http_port               => 8089,
  syslinux_files          => ['syslinux_file1', 'syslinux_file2'],
  tftp_bind_host          => '192.0.2.72',
  ipxe_name_base          => '/srv/ipxe-name-base',
  uefi_ipxe_bootfile_name => 'example_uefi_ipxe_bootfile_name',
}

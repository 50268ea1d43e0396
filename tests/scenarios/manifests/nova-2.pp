# debian-12 redhat-9 ubuntu-22.04
class { 'nova::conductor':
  manage_service => false,
  ensure_package => 'present',
}
include nova::config
class { 'nova::cors':
  allow_credentials => true,
  max_age           => 1,
  allow_headers     => true,
}
class { 'nova::glance':
  valid_interfaces         => ['valid_interface1', 'valid_interface2'],
  num_retries              => 60,
  verify_glance_signatures => ['verify_glance_signature1', 'verify_glance_signature2'],
  enable_rbd_download      => true,
  rbd_pool                 => 'rbd-pool-value',
}
class { 'nova::key_manager':
  backend => 'example.backend',
}
class { 'nova::keystone':
  password            => 's3cr3t',
  auth_url            => 'http://192.0.2.40:9292/v1',
  endpoint_override   => 'endpoint-override-value',
  project_domain_name => 'example_project_domain_name',
}
class { 'nova::limit':
  endpoint_id       => 'endpoint-id-value',
  password          => 's3cr3t',
  service_type      => 'tcp',
  valid_interfaces  => ['valid_interface1', 'valid_interface2'],
  endpoint_override => 'endpoint-override-value',
}
class { 'nova::logging':
  use_stderr                    => false,
  watch_log_file                => '/etc/example/watch-log-file',
  logging_default_format_string => 'logging-default-format-string-value',
  publish_errors                => ['publish_error1', 'publish_error2'],
  instance_format               => 'instance-format-value',
}
include nova::pci
class { 'nova::placement':
  password         => true,
  auth_url         => 'http://192.0.2.40:9292/v1',
  valid_interfaces => ['valid_interface1', 'valid_interface2'],
  project_name     => 'example_project_name',
}
class { 'nova::quota':
  server_groups              => ['server_group1', 'server_group2'],
  count_usage_from_placement => 'count-usage-from-placement-value',
}
class { 'nova::scheduler':
  ensure_package                       => 'present',
  limit_tenants_to_placement_aggregate => 'limit-tenants-to-placement-aggregate-value',
  enable_isolated_aggregate_filtering  => true,
}
class { 'nova::serialproxy':
  manage_service   => false,
  serialproxy_host => '192.0.2.77',
  ensure_package   => 'present',
}

# debian-12 redhat-9 ubuntu-22.04
class { 'cinder':
  rpc_response_timeout        => 300,
  rabbit_heartbeat_in_pthread => 'rabbit-heartbeat-in-pthread-value',
  kombu_reconnect_delay       => 10,
  amqp_durable_queues         => ['amqp_durable_queue1', 'amqp_durable_queue2'],
  amqp_ssl_cert_file          => '/etc/example/amqp-ssl-cert-file',
  amqp_sasl_config_dir        => '/srv/amqp-sasl-config-dir',
  amqp_username               => 'appuser',
  image_conversion_cpu_limit  => 300,
  image_conversion_disable    => 'image-conversion-disable-value',
}
cinder::quota_set { 'example':
  os_password     => 's3cr3t',
  os_tenant_name  => 'example_os_tenant_name',
  os_region_name  => 'RegionOne',
  quota_snapshots => 11,
  class_name      => 'example_class_name',
}
cinder::backend::dellemc_powerflex { 'example':
  san_login                              => 'san-login-value',
  san_password                           => 's3cr3t',
  san_ip                                 => '192.0.2.123',
  powerflex_storage_pools                => ['powerflex_storage_pool1', 'powerflex_storage_pool2'],
  backend_availability_zone              => 'backend-availability-zone-value',
  powerflex_round_volume_capacity        => 'powerflex-round-volume-capacity-value',
  powerflex_unmap_volume_before_deletion => 'powerflex-unmap-volume-before-deletion-value',
  driver_ssl_cert_verify                 => 'driver-ssl-cert-verify-value',
  driver_ssl_cert_path                   => '/srv/driver-ssl-cert-path',
}
cinder::backend::dellemc_powermax { '/srv/example':
  san_ip               => '192.0.2.87',
  san_login            => 'san-login-value',
  san_password         => 's3cr3t',
  powermax_array       => 'powermax-array-value',
  powermax_srp         => 'powermax-srp-value',
  powermax_port_groups => ['powermax_port_group1', 'powermax_port_group2'],
}
cinder::backend::dellemc_powerstore { 'example.service':
  san_ip       => '192.0.2.145',
  san_login    => 'san-login-value',
  san_password => 's3cr3t',
}
cinder::backend::dellemc_sc { 'example.timer':
  san_ip       => '192.0.2.53',
  san_login    => 'san-login-value',
  san_password => 's3cr3t',
  dell_sc_ssn  => 'dell-sc-ssn-value',
}

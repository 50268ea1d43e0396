# debian-12 redhat-9 ubuntu-22.04
class { 'ironic':
  executor_thread_pool_size => 1,
  rpc_response_timeout      => 5,
  rpc_transport             => '7325',
  amqp_sasl_config_dir      => '/srv/amqp-sasl-config-dir',
}
ironic::drivers::hardware_interface { 'example':
  default => 'default-value',
}
ironic::pxe::tftpboot_file { 'example':
  source_directory      => '/srv/source-directory',
  destination_directory => '/srv/destination-directory',
}
class { 'ironic::audit':
  ignore_req_list => ['ignore_req_list1', 'ignore_req_list2'],
}
class { 'ironic::cinder':
  auth_type        => 'tcp',
  auth_url         => 'http://192.0.2.40:9292/v1',
  password         => 's3cr3t',
  user_domain_name => 'example_user_domain_name',
}
class { 'ironic::client':
  package_ensure => 'present',
}
class { 'ironic::conductor':
  rescuing_network    => 'rescuing-network-value',
  default_boot_option => 'default-boot-option-value',
  deploy_kernel       => 'deploy-kernel-value',
  bootloader          => 'bootloader-value',
}

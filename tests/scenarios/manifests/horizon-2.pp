# debian-12 redhat-9 ubuntu-22.04
class { 'horizon':
  secret_key                     => 's3cr3t',
  instance_options               => { 'example' => 'value' },
  keystone_default_domain        => 'example_keystone_default_domain',
  enable_secure_proxy_ssl_header => true,
  websso_enabled                 => true,
}

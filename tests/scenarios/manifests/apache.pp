# debian-12 redhat-9 ubuntu-22.04
class { 'apache':
  purge_vhost_dir         => false,
  ldap_verify_server_cert => '/etc/example/ldap-verify-server-cert',
  conf_dir                => '/srv/conf-dir',
  group                   => 'appgroup',
  keepalive               => 'keepalive-value',
  server_signature        => 'On',
}
apache::balancer { 'example':
  collect_exported => false,
  options          => ['option-1', 'option-2'],
}
apache::balancermember { 'example':
  balancer_cluster => 'balancer-cluster-value',
  url              => 'http://192.0.2.40:9292/v1',
  options          => ['option-1', 'option-2'],
}
apache::custom_config { 'example':
  ensure         => 'present',
  confdir        => '/srv/confdir',
  source         => 'source-value',
  verify_command => 'verify-command-value',
}

# redhat-9
class { 'rabbitmq':
  file_limit              => 60,
  config_kernel_variables => { '/etc/example/key' => 'config-kernel-variable-value' },
  key_content             => "first line\nsecond line with \"quotes\"\n",
}
rabbitmq_binding { 'example':
  ensure => 'present',
  source => 'source-value',
  destination => 'destination-value',
  vhost => '192.0.2.86',
  routing_key => '/etc/example/routing-key',
}
rabbitmq_erlang_cookie { 'example':
  content => "first line\nsecond line with \"quotes\"\n",
  force => 'force-value',
  rabbitmq_user => 'appuser',
  rabbitmq_group => 'appgroup',
  rabbitmq_home => '/srv/rabbitmq-home',
}
rabbitmq_exchange { 'example':
  ensure => 'present',
  type => 'tcp',
  durable => 'durable-value',
  auto_delete => 'auto-delete-value',
  internal => 'internal-value',
}
rabbitmq_parameter { 'example':
  ensure => 'present',
  component_name => 'example_component_name',
  value => 'value-value',
}
rabbitmq_plugin { 'example':
  ensure => 'present',
  umask => 'umask-value',
}
rabbitmq_policy { 'example':
  ensure => 'present',
  pattern => 'pattern-value',
  applyto => 'applyto-value',
  definition => 'definition-value',
  priority => 10,
}
rabbitmq_queue { 'example':
  ensure => 'present',
  durable => 'durable-value',
  auto_delete => 'auto-delete-value',
  arguments => ['argument1', 'argument2'],
  user => 'appuser',
}
rabbitmq_user { 'example':
  ensure => 'present',
  password => 's3cr3t',
  admin => 5,
  tags => ['tag1', 'tag2'],
}
rabbitmq_user_permissions { 'example':
  ensure => 'present',
  configure_permission => 'configure-permission-value',
  read_permission => 'read-permission-value',
  write_permission => 'write-permission-value',
}
rabbitmq_vhost { 'example':
  ensure => 'present',
}

# debian-12 redhat-9 ubuntu-22.04
class { 'haproxy':
  package_ensure      => 'present',
  package_name        => 'example_package_name',
  restart_command     => 'restart-command-value',
  config_file         => '/etc/example/config-file',
  config_validate_cmd => 'config-validate-cmd-value',
  manage_service      => false,
  enable              => true,
}
haproxy::backend { 'example':
  collect_exported => false,
  options          => { 'alpha' => 'one', 'beta' => '2' },
  instance         => 'haproxy',
  section_name     => 'example_section_name',
}
haproxy::balancermember { 'example':
  listening_service => ['listening_service1', 'listening_service2'],
  options           => { 'alpha' => 'one', 'beta' => '2' },
  config_file       => '/etc/example/config-file',
  weight            => 1,
}
haproxy::defaults { 'example':
  options => { 'example' => 'value' },
}
haproxy::frontend { 'example':
  bind                 => { '/etc/example/key' => '192.0.2.132' },
  mode                 => '0640',
  collect_exported     => false,
  options              => { 'alpha' => 'one', 'beta' => '2' },
  instance             => 'haproxy',
  defaults             => ['default1', 'default2'],
  defaults_use_backend => false,
}
haproxy::mailer { 'example':
  mailers_name => 'admin@example.com',
  port         => '6289',
  ipaddresses  => ['ipaddresse1', 'ipaddresse2'],
}
haproxy::mailers { 'example':
  collect_exported => false,
}
haproxy::mapfile { 'example':
  mode => '0640',
}
haproxy::peer { 'example':
  peers_name  => 'example_peers_name',
  port        => '3909',
  ipaddresses => ['ipaddresse1', 'ipaddresse2'],
}
haproxy::peers { 'example':
  instance    => 'haproxy',
  config_file => '/etc/example/config-file',
}
haproxy::userlist { 'example':
  users       => ['user1', 'user2'],
  groups      => ['group1', 'group2'],
  config_file => '/etc/example/config-file',
}

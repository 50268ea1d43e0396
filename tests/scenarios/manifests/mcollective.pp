# debian-12 redhat-9 ubuntu-22.04
class { 'mcollective':
  version                       => '2.4',
  collectives                   => ['collective1', 'collective2'],
  middleware_ssl_ca             => '/etc/example/middleware-ssl-ca',
  middleware_heartbeat_interval => 10,
  service_name                  => 'example_service_name',
  ruby_stomp_package            => 'ruby-stomp',
  client_config_file            => '/etc/example/client-config-file',
  client_loglevel               => 'info',
}
mcollective::actionpolicy { 'example':
  default => 'deny',
}
mcollective::plugin { 'example':
  has_client => false,
}
mcollective::setting { 'example':
  setting => 'setting-value',
  value   => 'value-value',
  target  => 'target-value',
  order   => '50',
}
mcollective::soft_include { 'example':
  start => 'start-value',
  end   => 'end-value',
}
mcollective::user { 'example':
  group            => 'appgroup',
  homedir          => '/srv/homedir',
  ssl_ca_cert      => '/etc/example/ssl-ca-cert',
  securityprovider => 'example.securityprovider',
}
mcollective::actionpolicy::rule { 'example':
  agent   => 'agent-value',
  classes => ['classe1', 'classe2'],
}
mcollective::client::setting { 'example':
  value => 'value-value',
  order => '30',
}
mcollective::common::setting { 'example':
  value => 'value-value',
  order => '10',
}
mcollective::server::setting { 'example':
  value   => 'value-value',
  setting => 'setting-value',
  order   => '30',
}
mcollective::user::connector { 'example':
  username       => 'appuser',
  callerid       => 'callerid-value',
  homedir        => '/srv/homedir',
  order          => 'order-value',
  connector      => 'connector-value',
  middleware_ssl => 'middleware-ssl-value',
}
mcollective::user::setting { 'example':
  username => 'appuser',
  setting  => 'setting-value',
  value    => 'value-value',
}
mcollective::common::config::connector::activemq::hosts_iteration { '10': }
mcollective::common::config::connector::rabbitmq::hosts_iteration { '10': }

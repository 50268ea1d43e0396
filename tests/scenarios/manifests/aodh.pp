# debian-12 redhat-9 ubuntu-22.04
class { 'aodh':
  default_transport_url      => 'rabbit://user:pw@192.0.2.30:5672/',
  kombu_failover_strategy    => 'kombu-failover-strategy-value',
  amqp_group_request_prefix  => 'amqp-group-request-prefix-value',
  notification_transport_url => 'rabbit://user:pw@192.0.2.30:5672/',
  notification_topics        => ['notification_topic1', 'notification_topic2'],
}
class { 'aodh::client':
  ensure => 'present',
}
include aodh::config
class { 'aodh::coordination':
  heartbeat_interval => 5,
  max_retry_interval => 300,
}
class { 'aodh::cors':
  allow_credentials => true,
  expose_headers    => ['expose_header1', 'expose_header2'],
  max_age           => 1,
  allow_methods     => false,
  allow_headers     => true,
}
class { 'aodh::evaluator':
  enabled             => false,
  evaluation_interval => 1,
}
class { 'aodh::expirer':
  package_ensure                    => 'present',
  minute                            => 2,
  hour                              => 1,
  month                             => '*',
  alarm_histories_delete_batch_size => 300,
}
class { 'aodh::healthcheck':
  backends              => 'example.backends',
  disable_by_file_path  => true,
  disable_by_file_paths => false,
}
class { 'aodh::listener':
  enabled => false,
}
class { 'aodh::logging':
  use_journal        => false,
  default_log_levels => 'info',
}
class { 'aodh::notifier':
  manage_service => false,
  enabled        => false,
  package_ensure => 'present',
  workers        => 300,
  batch_timeout  => 5,
}
class { 'aodh::quota':
  user_alarm_quota  => 'user-alarm-quota-value',
  alarm_max_actions => ['alarm_max_action1', 'alarm_max_action2'],
}
class { 'aodh::service_credentials':
  password     => 's3cr3t',
  region_name  => 'RegionOne',
  project_name => 'example_project_name',
}
class { 'aodh::db::mysql':
  password => 's3cr3t',
  dbname   => 'example_dbname',
  user     => 'appuser',
  host     => '192.0.2.127',
}

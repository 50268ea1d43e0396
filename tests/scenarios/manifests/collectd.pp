# debian-12 redhat-9 ubuntu-22.04
class { 'collectd': purge => true, recurse => true, purge_config => true, manage_repo => false }
collectd::plugin { 'example':
  ensure        => 'present',
  flushinterval => 300,
}
collectd::type { 'example':
  target => 'target-value',
  min    => 60,
  max    => 10,
}
collectd::typesdb { 'example':
  path => '/srv/path',
  mode => '0640',
}
collectd::plugin::curl_json { '/srv/example':
  url      => 'http://192.0.2.40:9292/v1',
  instance => 'instance-value',
  keys     => { '/etc/example/key' => '/etc/example/key' },
}
collectd::plugin::aggregation::aggregator { 'example':
  ensure          => 'present',
  typeinstance    => 'typeinstance-value',
  sethost         => '192.0.2.75',
  settypeinstance => 'settypeinstance-value',
  groupby         => ['groupby-value'],
}
collectd::plugin::apache::instance { 'example':
  url      => 'http://192.0.2.40:9292/v1',
  ensure   => 'present',
  user     => 'appuser',
  password => 's3cr3t',
}
collectd::plugin::curl::page { 'example':
  url            => 'http://192.0.2.40:9292/v1',
  cacert         => '/etc/example/cacert',
  plugininstance => 'plugininstance-value',
}
collectd::plugin::dbi::database { 'example':
  driver       => 'example.driver',
  ensure       => 'present',
  host         => '192.0.2.64',
  databasename => 'example_databasename',
  driveroption => { '/etc/example/key' => 'driveroption-value' },
  query        => ['query-value'],
}
collectd::plugin::dbi::query { 'example':
  statement  => 'statement-value',
  ensure     => 'present',
  maxversion => '2.4',
}
collectd::plugin::exec::cmd { 'example':
  user              => 'appuser',
  group             => 'appgroup',
  notification_exec => ['notification-exec-value'],
}
collectd::plugin::filecount::directory { 'example':
  path  => '/srv/path',
  mtime => 'mtime-value',
}
collectd::plugin::filter::chain { 'example': }

collectd::plugin::filter::rule { 'example':
  chain => 'chain-value',
}
collectd::plugin::genericjmx::connection { 'example':
  collect     => ['collect-value'],
  service_url => 'http://192.0.2.40:9292/v1',
  password    => 's3cr3t',
}
collectd::plugin::genericjmx::mbean { '/srv/example':
  object_name => 'example_object_name',
  values      => ['value-value', '-value'],
}
collectd::plugin::mysql::database { 'example':
  ensure         => 'present',
  password       => 's3cr3t',
  slavestats     => true,
  socket         => '/etc/example/socket',
  aliasname      => 'example_aliasname',
  connecttimeout => 300,
  sslkey         => '/etc/example/sslkey',
}
collectd::plugin::network::listener { 'example': }
collectd::plugin::network::server { 'example':
  username        => 'appuser',
  password        => 's3cr3t',
  interface       => 'interface-value',
  resolveinterval => 300,
}
collectd::plugin::nut::ups { 'example': }
collectd::plugin::oracle::database { 'example':
  username   => 'appuser',
  password   => 's3cr3t',
  query      => ['query-value', '-value'],
  connect_id => 'connect-id-value',
  database   => '/srv/database',
}

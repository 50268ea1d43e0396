# sample
node default {
  class { 'keystone::db::mysql': password => 'kdb', allowed_hosts => ['10.0.0.%', '192.0.2.%'], host => '192.0.2.10' }
  class { 'keystone::db': database_connection => 'mysql+pymysql://keystone:kdb@192.0.2.10/keystone' }
  class { 'keystone::logging': debug => true }
  class { 'keystone':
    service_name          => 'httpd',
    default_transport_url => os_transport_url({ 'transport' => 'rabbit', 'hosts' => ['10.0.0.1', '10.0.0.2'], 'port' => '5672', 'username' => 'keystone', 'password' => 'k!p@w', 'ssl' => '0' }),
    fernet_max_active_keys => '4',
  }
  class { 'apache': default_vhost => false }
  class { 'keystone::wsgi::apache': ssl => true, ssl_cert => '/etc/ssl/k.pem', ssl_key => '/etc/ssl/k.key', workers => 4 }
  class { 'keystone::bootstrap': password => 'adminpw', public_url => 'https://api.example.com:5000', region => 'RegionOne' }
  class { 'keystone::cache': enabled => true, backend => 'dogpile.cache.memcached', memcache_servers => ['10.0.0.1:11211', '10.0.0.2:11211'] }
  class { 'mysql::server': }
  keystone_domain { 'ops': ensure => present, enabled => true }
  keystone_tenant { 'prod': ensure => present, domain => 'ops' }
  keystone_user { 'alice::ops': ensure => present, password => 'x', email => 'alice@example.com' }
  keystone_role { 'member': ensure => present }
  keystone_user_role { 'alice::ops@prod::ops': ensure => present, roles => ['member'] }
}

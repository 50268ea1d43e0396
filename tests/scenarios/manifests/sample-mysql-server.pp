# sample
node 'node1.example.com' {
  class { 'mysql::server':
    root_password           => 's3cret',
    remove_default_accounts => true,
    restart                 => true,
    override_options        => {
      'mysqld' => { 'bind-address' => '0.0.0.0', 'max_connections' => 1024, 'innodb_buffer_pool_size' => '2G', 'character-set-server' => 'utf8mb4' },
      'mysqld_safe' => { 'log-error' => '/var/log/mysql/error.log' },
    },
    users => {
      'app@10.%' => { ensure => 'present', max_connections_per_hour => '0', password_hash => '*F3A2A51A9B0F2BE2468926B4132313728C250DBF' },
    },
    grants => {
      'app@10.%/appdb.*' => { ensure => 'present', options => ['GRANT'], privileges => ['SELECT', 'INSERT', 'UPDATE', 'DELETE'], table => 'appdb.*', user => 'app@10.%' },
    },
    databases => { 'appdb' => { ensure => 'present', charset => 'utf8mb4' } },
  }
  class { 'mysql::server::backup':
    backupuser => 'backup', backuppassword => 'bpw', backupdir => '/var/backups/mysql', file_per_database => true, time => ['2', '30'],
  }
  class { 'mysql::client': }
  class { 'mysql::bindings': python_enable => true, perl_enable => true }
  ['blog', 'shop', 'crm'].each |$d| {
    mysql::db { $d:
      user     => $d,
      password => "pw-${d}",
      host     => '%',
      grant    => ['ALL'],
    }
  }
}

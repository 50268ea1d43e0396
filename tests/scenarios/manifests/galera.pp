# debian-12 ubuntu-22.04
class { 'galera': galera_servers => ['192.0.2.10', '192.0.2.11'], galera_master => 'node1.example.com', status_password => 's3cr3t', configure_repo => false, root_password => 'pw' }
include galera::mariadb
include galera::repo

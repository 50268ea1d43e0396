# debian-12 redhat-9 ubuntu-22.04
include mongodb
include mongodb::client
include mongodb::client::install
mongodb_database { 'example':
  ensure => 'present',
  tries => ['trie1', 'trie2'],
}
mongodb_replset { 'example':
  ensure => 'present',
  members => ['192.0.2.49', 'host2.example.com'],
}
mongodb_user { 'example':
  ensure => 'present',
  roles => ['role1', 'role2'],
  password_hash => { 'alpha' => 'one', 'beta' => '2' },
  database => '/srv/database',
  tries => ['trie1', 'trie2'],
}

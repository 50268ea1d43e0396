# debian-12 redhat-9 ubuntu-22.04
openstacklib::clouds { 'example':
  username         => 'appuser',
  password         => 's3cr3t',
  auth_url         => 'http://192.0.2.40:9292/v1',
  user_domain_name => 'example_user_domain_name',
  system_scope     => 'system-scope-value',
  interface        => 'interface-value',
  api_versions     => { 'example' => 'value' },
}
openstacklib::service_validation { 'example':
  command => 'command-value',
  path    => '/srv/path',
  timeout => 1,
  tries   => ['trie1', 'trie2'],
  onlyif  => 'onlyif-value',
}
openstacklib::db::mysql { 'example':
  password    => 's3cr3t',
  privileges  => ['privilege1', 'privilege2'],
  tls_options => { 'alpha' => 'one', 'beta' => '2' },
}
openstacklib::messaging::rabbitmq { 'example':
  is_admin        => true,
  read_permission => '.*',
  manage_user     => false,
  manage_vhost    => false,
}
openstacklib::policy::base { 'example':
  file_path => '/srv/file-path',
  key       => '/etc/example/key',
  file_user => 'appuser',
}

# debian-12 redhat-9 ubuntu-22.04
class { 'ssh':
  server_options       => { 'example' => 'value' },
  storeconfigs_enabled => false,
}
ssh::server::host_key { 'example':
  ensure             => 'present',
  public_key_content => "first line\nsecond line with \"quotes\"\n",
  private_key_source => 'private-key-source-value',
}
ssh::server::match_block { 'example':
  options => { 'alpha' => 'one', 'beta' => '2' },
  type    => 'tcp',
}
ssh::client::config::user { 'example': }
include ssh::hostkeys
include ssh::knownhosts

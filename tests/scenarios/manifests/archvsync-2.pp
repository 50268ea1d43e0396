# debian-12 redhat-9 ubuntu-22.04
archvsync::acceptpush { 'example':
  ssh_home_dir => '/srv/ssh-home-dir',
}
archvsync::runmirrors { 'example': }
class { 'archvsync::apache':
  server_aliases  => ['server_aliase1', 'server_aliase2'],
  vhost_conf_name => 'example_vhost_conf_name',
}

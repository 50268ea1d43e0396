# debian-12 redhat-9 ubuntu-22.04
class { 'archvsync':
  configure_rsync                      => false,
  homedir                              => '/srv/homedir',
  info_location                        => 'Nowhere city',
  sync_debian                          => false,
  debian_rsync_path                    => '/srv/debian-rsync-path',
  sync_debian_security                 => false,
  debian_security_runmirrors_hostnames => ['debian_security_runmirrors_hostname-1', 'debian_security_runmirrors_hostname-2'],
  debian_archive_rsync_host            => '192.0.2.131',
  ubuntu_rsync_host                    => '192.0.2.76',
}

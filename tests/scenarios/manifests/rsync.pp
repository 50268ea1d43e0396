# debian-12 redhat-9 ubuntu-22.04
class { 'rsync':
  manage_package => false,
}
rsync::get { 'example':
  source    => 'source-value',
  purge     => true,
  recursive => 'recursive-value',
  hardlinks => ['hardlink1', 'hardlink2'],
  copylinks => ['copylink1', 'copylink2'],
  keyfile   => '/etc/example/keyfile',
  chmod     => 'chmod-value',
}
rsync::put { '/srv/example':
  source => 'source-value',
}

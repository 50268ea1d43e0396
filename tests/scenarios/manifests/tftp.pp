# debian-12 redhat-9 ubuntu-22.04
class { 'tftp':
  username  => 'appuser',
  directory => '/srv/directory',
}
tftp::file { 'example':
  ensure  => 'present',
  content => "first line\nsecond line with \"quotes\"\n",
  source  => 'source-value',
}

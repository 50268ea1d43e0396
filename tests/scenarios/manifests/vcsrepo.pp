# debian-12 redhat-9 ubuntu-22.04
vcsrepo { 'example':
  ensure => 'present',
  revision => 'revision-value',
  source => 'source-value',
  fstype => 'tcp',
  owner => 'appuser',
}

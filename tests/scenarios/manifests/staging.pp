# debian-12 redhat-9 ubuntu-22.04
class { 'staging':
  owner     => 'appuser',
  exec_path => '/srv/exec-path',
}

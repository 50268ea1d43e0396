# Typical slips in resources and hashes.
class users (
  String $shell = '/bin/bash'
  Array  $admins = [],
) {
  user { 'deploy':
    ensure = present,
    shell  => $shell,
  }

  user { 'backup'
    ensure => present,
  }

  $limits = {
    'nofile' => 4096,
    'nproc'  => 0512,
    'mode'   => 0888,
    'nofile' => 8192,
  }

  File { '/etc/limits.conf':
    ensure => file,
  }
}

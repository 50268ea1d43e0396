# debian-12 redhat-9 ubuntu-22.04
sysctl::value { 'example':
  value  => 'value-value',
  target => 'target-value',
}
sysctl { '/srv/example':
  ensure => 'present',
  val => 'val-value',
  target => 'target-value',
}
sysctl_runtime { '/srv/example':
  val => 'val-value',
}

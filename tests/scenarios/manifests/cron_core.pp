# debian-12 redhat-9 ubuntu-22.04
cron { 'example':
  ensure => 'present',
  command => 'command-value',
  special => 'special-value',
  minute => 'minute-value',
  hour => 'hour-value',
}

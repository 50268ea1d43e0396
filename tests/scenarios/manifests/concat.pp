# debian-12 redhat-9 ubuntu-22.04
concat { '/etc/motd': ensure => present, owner => 'root' }
concat::fragment { 'first': target => '/etc/motd', content => "welcome\n", order => '01' }
concat::fragment { 'second': target => '/etc/motd', source => 'puppet:///modules/site/motd', order => 10 }
concat { '/srv/example': }
concat::fragment { 'example':
  target => 'target-value',
}
concat_file { 'example':
  ensure => 'present',
  owner => 'appuser',
  group => 'appgroup',
  mode => '0640',
  order => 'order-value',
}
concat_fragment { '/srv/example':
  target => 'target-value',
  content => "first line\nsecond line with \"quotes\"\n",
  source => 'source-value',
  order => 'order-value',
}

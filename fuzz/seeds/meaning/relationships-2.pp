package { 'ntp': }
-> file { '/etc/ntp.conf': }
~> service { 'ntp': before => Package['ntp'] }

vhost { 'a': ensure => present, port => 80, prot => 80 }
Vhost { kind => 'x' }
vhost { 'b': provider => 'apache', mode => 'fast', name => 'b', tag => 'x', added => 1 }
clever { 'c': anything => 1 }

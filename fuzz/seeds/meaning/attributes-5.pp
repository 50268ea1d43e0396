exec { '/usr/bin/true': refreshonly => 'maybe', logoutput => 'no' }
file { '/tmp/x': links => 'copy' }
file { '/tmp/y': recurselimit => 'two', max_files => -2 }
schedule { 'often': period => 'minutely' }
group { 'staff': attribute_membership => 'all' }
tidy { '/tmp': type => 'btime' }
service { 'ntp': hasstatus => 'yes', noop => 'sometimes' }
Package { configfiles => 'merge' }
User['alice'] { membership => 'exclusive' }
notify { 'x': withpath => 1, loglevel => 'loud' }

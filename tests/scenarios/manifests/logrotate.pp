# debian-12 ubuntu-22.04
logrotate::rule { 'list': path => ['/var/log/a', '/var/log/b'], compress => true, missingok => true, size => '100k' }
include logrotate::hourly

if $facts['os']['family'] == 'Debian' {
  package { 'web': name => 'apache2' }
} elsif $facts['os']['family'] == 'Suse' {
  package { 'web': name => 'apache2-prefork' }
} else {
  package { 'web': name => 'httpd' }
}
case $facts['kernel'] {
  'Linux': { service { 'web': } }
  default: { service { 'web': provider => 'base' } }
}
unless $facts['is_virtual'] { file { '/a': } } else { file { '/a': ensure => absent } }

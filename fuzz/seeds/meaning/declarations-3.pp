class web (Boolean $tls = false) {
  package { 'nginx': }
  if $tls {
    package { 'openssl': }
    package { 'nginx': ensure => latest }
    package { 'openssl': }
  }
  [80, 443].each |$port| {
    package { 'nginx': }
  }
  case $facts['os']['family'] {
    'Debian': { web::site { 'main': } }
    default: { }
  }
  web::site { 'main': }
}
define web::site { }

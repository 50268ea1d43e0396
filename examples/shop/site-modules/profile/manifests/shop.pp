# The shop: its web server, and what it needs.
class profile::shop {
  $settings = { 'port' => '8080', 'scheme' => 'https' }

  class { 'web':
    * => $settings,
  }

  if $facts['os']['family'] == 'RedHat' {
    include profile::selinx
  }

  service { 'web':
    ensure  => running,
    require => File['/etc/web.cfg'],
  }
}

# Typical slips in conditions, and a brace that is never closed.
class webserver {
  if $facts['os']['family'] == 'Debian' {
    $package = 'apache2'
  } elseif $facts['os']['family'] == 'RedHat' {
    $package = 'httpd'
  }

  package { $package:
    ensure => installed,
  }

  if $facts['virtual'] == 'physical' {
    service { $package:
      ensure => running,
      enable => true,
    }

  notify { 'done':
    message => “all set”,
  }
}

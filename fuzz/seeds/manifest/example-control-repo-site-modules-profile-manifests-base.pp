# What all machines have in common.
#
# @param packages
#   Tools that administrators expect everywhere.
class profile::base (
  Array[String[1]] $packages = [],
) {
  include ntp

  package { $packages:
    ensure => installed,
  }

  $role = $facts['networking']['hostname'] ? {
    'time'    => 'time server',
    /^web\d+/ => 'web server',
    default   => 'machine',
  }

  motd::line { 'greeting':
    text  => "Welcome to ${facts['networking']['fqdn']}, a ${role}.",
    order => 10,
  }

  unless $facts['os']['family'] == 'Debian' {
    motd::line { 'family':
      text => @("TEXT"/L),
        This machine runs ${facts['os']['name']}; most of what you find \
        in the handbook is about Debian.
        | TEXT
    }
  }
}

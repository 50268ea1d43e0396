# Keeps the clock right.
#
# @param servers
#   Whom to ask for the time.
#
# @param serve_to
#   Networks that may ask this machine.
#
# @param service_name
#   How the system calls the service.
class ntp (
  Array[Ntp::Server, 1] $servers,
  Array[String[1]]      $serve_to     = [],
  String[1]             $service_name = 'chrony',
) {
  package { 'chrony':
    ensure => installed,
  }
  -> file { '/etc/chrony/chrony.conf':
    ensure  => file,
    mode    => '0644',
    content => epp('ntp/chrony.conf.epp', {
      'servers'  => $servers,
      'serve_to' => $serve_to,
    }),
  }
  ~> service { $service_name:
    ensure => running,
    enable => true,
  }
}

# Serves one web site.
#
# @param port
#   The port on which it listens.
#
# @param scheme
#   The protocol that it speaks.
#
# @param aliases
#   Other names of the site.
class web (
  Integer[1, 65535]     $port,
  Enum['http', 'https'] $scheme  = 'http',
  Array[String[1]]      $aliases = [],
) {
  file { '/etc/web.conf':
    ensure  => file,
    content => epp('web/web.conf.epp', { 'port' => $port, 'names' => $aliases }),
  }
}

# One line of chrony's configuration: where the time comes from.
#
# @param server
#   Whom to ask.
function ntp::source(Ntp::Server $server) >> String {
  $kind = $server ? {
    /pool/  => 'pool',
    default => 'server',
  }
  "${kind} ${server} iburst"
}


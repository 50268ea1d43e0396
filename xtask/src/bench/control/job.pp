define sample::job (
  String         $command,
  Integer[0, 59] $minute = 0,
) {
  exec { "sample ${title}":
    command     => "${command} # at ${minute}",
    path        => ['/usr/bin', '/usr/sbin'],
    refreshonly => true,
  }
}

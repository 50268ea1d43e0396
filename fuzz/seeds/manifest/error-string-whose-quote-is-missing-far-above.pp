class motd {
  $owner = 'root
  $group = 'wheel'
  file { '/etc/motd':
    owner => $owner,
    group => $group,
  }
}


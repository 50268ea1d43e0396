class motd {
  $text = "welcome to ${facts['os']['name']}
  file { '/etc/motd':
    content => $text,
  }
}

class web(Boolean $secure) {
  if $secure {
    $port = 443
  }
  case $facts['kernel'] {
    'Linux': { $user = 'www-data' }
    default: { $user = 'www' }
  }
  notice($port, $user)
}

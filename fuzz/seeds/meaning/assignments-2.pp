class web (Optional[Integer] $port = undef, Boolean $tls = false) {
  if $tls {
    $scheme = 'https'
    $port = 443
  } else {
    $scheme = 'http'
  }
  $scheme = 'ftp'
  case $scheme {
    'http': { $docroot = '/srv' $docroot = '/srv/www' }
    default: { $docroot = '/srv/s' }
  }
  if ($docroot = '/') { }
}

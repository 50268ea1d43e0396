# debian-12
apache::fastcgi::server { 'example':
  pass_header => 'pass-header-value',
}

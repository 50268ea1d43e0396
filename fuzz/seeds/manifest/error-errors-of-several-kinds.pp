class Web::server($title) {
  $x += 1
  file { '/a'
    mode => '0644',
  }
  $1 = 'a'
}


fail('stop')
notify { 'never': }
function web::port(Boolean $tls) >> Integer {
  if $tls {
    return(443)
    notice('secure')
  } elsif $facts['is_virtual'] {
    fail('no')
  } else {
    return(80)
  }
  8080
}
function web::all(Array $list) {
  $list.each |$it| {
    if $it == 1 {
      next()
      notice('one')
    }
    break()
    notice($it)
  }
  case $list[0] {
    1: { return(1) }
    default: { fail('other') }
  }
  notice('behind')
}

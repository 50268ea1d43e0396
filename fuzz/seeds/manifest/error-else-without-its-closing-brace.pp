class ntp {
  if $x {
    $a = 1
  } else {
    $a = 2

  notice($a)
}

class apache {
  include ntp
}


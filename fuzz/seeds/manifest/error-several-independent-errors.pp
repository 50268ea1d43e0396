class a {
  $x = [1 2]
  file { '/a':
    ensure = file,
  }
}

class b {
  if $x {
    notice('b')
  } else if $y {
    notice('c')
  }
}

class c {
  $n = 08
  notice($n)
}


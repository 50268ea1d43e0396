class a {
  case $x {
    'a': { include a }
    default: { include b }

  notice('c')
}


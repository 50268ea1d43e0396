switch $x {
  case 'a': notice('a')
}

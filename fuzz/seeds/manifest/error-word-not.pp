if not $a {
  notice('a')
}

case $x {
  'a': include a
  default: include b
}

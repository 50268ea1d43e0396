if $x {
  notice('a')
} elif $y {
  notice('b')
}

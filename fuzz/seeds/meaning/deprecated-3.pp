class new($any, String $text = 'a', Optional[Integer] $number = undef) {
  notice(lookup('a'), strftime(Timestamp(), '%Y'), abs(-1), abs($any), ceiling(1.5))
  notice(regsubst('abc', 'b', 'c', 'G'), max(1, 2), max('a', 'b'), max($text, $any), empty($number), empty($text))
  notice(max('a', 1) |$a, $b| { 0 })
  notice(checked(1))
  $hiera = { 'hiera' => 1 }
  notice($hiera)
}

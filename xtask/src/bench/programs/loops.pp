Integer[1, 20000].reduce(0) |$sum, $x| {
  if $x % 3 == 0 or $x % 5 == 0 { $sum + $x } else { $sum }
}

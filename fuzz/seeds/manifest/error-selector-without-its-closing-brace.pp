$x = $y ? {
  'a'     => 1,
  default => 2,

notice($x)

$x = [@(A), 2, @(B)]
first
  A
second
  B
$y = 1


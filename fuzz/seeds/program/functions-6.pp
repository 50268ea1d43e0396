function even($n) { if $n == 0 { true } else { odd($n - 1) } } function odd($n) { if $n == 0 { false } else { even($n - 1) } } even(10)

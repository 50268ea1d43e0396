class a($x = f() |$z| { $y = 1 $y }) {}

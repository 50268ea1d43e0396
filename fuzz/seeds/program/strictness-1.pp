with() |$x = $nope| { $x }

if $a { 1 }
if $a { 1 } else { 2 }
if $a { 1 } elsif $b { 2 } elsif $c { 3 } else { 4 }
unless $a { 1 }
unless $a { 1 } else { 2 }
if $a { }
$r = if $a { 1 }
if ($a) { 1 }
f(if $a { 1 })


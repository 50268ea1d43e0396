case $a { 1: { 2 } }
case $a { 1, 2: { 3 } default: { 4 } }
case $a { Integer: { 1 } /x/: { 2 } [1, 2]: { 3 } {a => 1}: { 4 } }
$r = case $a { 1: { 2 } }

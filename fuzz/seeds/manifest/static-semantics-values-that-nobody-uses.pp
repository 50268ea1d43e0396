if $a { f() } 2
case $a { 1: { f() } } 3
f() 1
$a.f 1
$a = 1 2
file { 'a': } 1
File['a'] -> File['b'] 1
$a =~ /x/ 1
$a !~ /x/ 1
File <| |> 1
class a {} 1
if f() { 1 } 2
if $x {
  1
  2
} else {
  3
  notice 4
}

$x.each |$y| { $y  notice $y }


//! Suppression comments, and the code that is kept so that they stay on its line.

use super::pieces;

pieces! {
    suppression_stays_on_its_line: "
$a = 'b' # lint:ignore:140chars
# lint:ignore:double_quoted_strings
$c = \"d\"
# lint:endignore";
    suppression_of_a_statement: "
exec { $stop: before => Class['x'] } # lint:ignore:exec_idempotency
$x = { 'a' => 1, 'b' =>   \"q\" } # lint:ignore:double_quoted_strings
class a {
  file { '/a': ensure=>file } # lint:ignore:a
  $b   = $c ? { 1 => \"d\", default => 2 } # lint:ignore:a
  if $x { notice(1) } # lint:ignore:a
  $d   = 1
}";
    suppression_of_a_long_line: "
fail(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\") # lint:ignore:140chars
file { '/a':
  content => epp('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'), # lint:ignore:140chars
  mode=>'0644'
}";
    suppression_of_a_header: "
define a::b($s) { # lint:ignore:autoloader_layout
  $c   = 1
}
if $aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb { # lint:ignore:140chars
  $d   = 1
} else {
  $e   = 1
}
$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.each |String $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, Integer $ccccccccccccccccccccccccccc| { # lint:ignore:140chars
  $d   = 1
}";
    suppression_of_entries: "
$a = {
  'b' => { 'c' => 1, 'd' => \"e\" }, # lint:ignore:double_quoted_strings
  'ff' => { 'g' => 1, 'h' => 2 },
}
file {
  '/a': ensure => file;
  '/b': mode => \"0644\", ensure => file; # lint:ignore:double_quoted_strings
  '/c': ensure => file
}
file { '/d':
  ensure => file, mode => \"0644\", # lint:ignore:double_quoted_strings
  owner => 'root'
}
case $x {
  1, 2: { a() } # lint:ignore:a
  default: { b() }
}
class c(
  String $a = 'x', String $bbb = \"y\", # lint:ignore:double_quoted_strings
  String $cc = 'z'
) {}";
    suppression_of_several_statements: "
$a = 1; $b   = [1,
  2]; $c = \"d\" # lint:ignore:double_quoted_strings
$e   = 1
if $x { $a   = \"b\"
  $c = 1 } # lint:ignore:a";
    suppression_after_a_separator: "
$a = { b => # x
  \"c\", # lint:ignore:y
  d => 1 }
$e = $f ? {
  \"a\" # x
    => \"b\", # lint:ignore:z
  default => 1,
}
$g = [
  $x
  , # lint:ignore:y
  $z,
]";
    suppression_of_what_stays: "
class a ( # lint:ignore:a
  $b
) inherits c { # lint:ignore:b
  file { 'd': # lint:ignore:c
    ensure=>file } # lint:ignore:d
  $e = [
    'f', # lint:ignore:e
    'g' ] # lint:ignore:f
}";
    suppression_in_a_template(epp): "
<% | Integer $x | %>
<% if $x { -%>
a
<% $a = { 'b' => 1, 'c' => \"d\" } # lint:ignore:double_quoted_strings
  $e   = 1
-%>
<% } -%>";
}

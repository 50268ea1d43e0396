use super::pieces;

pieces! {
    comment_leading: "
# a
class b {
    # c
  include d
}";
    comment_trailing: "
class a { # b
  $c = 1    # d
  include e# f
} # g";
    comment_at_the_end_of_a_block: "
class a {
  include b
      # c

      # d
}
# e";
    comment_alone_in_block: "
class a {
  # b
}";
    comment_alone_in_brackets: "
$a = [ # b
]
$c = {
  # d
}
f(
  # e
)";
    comments_with_blank_lines: "
# a


# b

class c { }
";
    comment_in_attributes: "
file { '/a': # b
  # c
  ensure => file, # d
  mode => '0644' # e
  # f
}";
    comment_in_hash: "
$a = { 'b' => 1, # c
  # d
  'eee' => 2 # f
}";
    comment_in_array: "
$a = [
  1, # one
  # two
  2
  # end
]";
    comment_in_parameters: "
class a (
  # b
  String $c, # d
  Integer $eee = 1 # f
  # g
) { }";
    comment_in_call: "
f($a, # b
  $c)";
    comment_before_comma: "
$a = [1 # b
  , 2]";
    comment_behind_operator: "
if $a and # b
   $c { # d
}";
    comment_behind_arrow: "
Class['a'] -> # b
Class['c']";
    comment_behind_equals: "
$a = # b
  1";
    comment_behind_equals_and_value: "
$a = # b
  1 # c
$d = 2";
    comment_before_else: "
if $a {
  notice(1)
} # b
# c
else {
  notice(2)
}";
    comment_in_case: "
case $a {
  # b
  1: { } # c
  # d
  default: { }
  # e
}";
    comment_of_several_lines: "
/* a
 * b
 */
class c {
  /* d */ include e /* f */
  $g = 1 /* h */ + 2
}";
    comment_between_target_and_index: "$a = $b/* c */[0]";
    comment_with_trailing_blanks: "# a   \n$b = 1  # c\t\n";
    comment_before_body: "
file {
  # a
  '/b': ensure => file; # c
  # d
  '/e': ensure => file
}";
    comment_at_the_start_of_a_chain: "
# a
Class['b']
# c
-> Class['d']";
    kept_statement: "
$a   =  1 # fmt: skip
$b   =  2";
    kept_attribute: "
file { '/a':
  ensure  => file,
  content =>   f( 1,
                  2 ), # fmt: skip
  mode => '0644',
}";
    kept_region: "
class a {
  # fmt: off
  $matrix = [
    1, 0,
    0, 1,
  ]
  $b   = 1
  # fmt: on
  $c   = 1
}";
    kept_until_the_end_of_the_block: "
class a {
  $b   = 1
  # fmt: off
  $c   = 1
  $d   = 1
}
$e   = 1";
    kept_comments: "
# fmt: off
#   a
# fmt: on
$a  = 1";
    kept_in_a_tag(epp): "
<%
  $z  = 1
  # fmt: off
  $a   = 1
  # fmt: on
  $b   =  1 # fmt: skip
  # last
%>";
    comment_before_the_value: "
file { '/a':
  owner # why
    => 'root',
  content => # what
    'b',
}";
    comment_before_a_comma: "
$h = {
  'a' => # b
    1 # c
  , 'd' => 2 }";
    comment_after_a_separator_on_the_next_line: "
foo(
  $x
  , # about x
  $y # about y
  ,
  # about z
  $z
)
file {
  '/a':
    ensure => file
  ; # about a
  '/b':
    ensure => file
  , # about the file
    mode => '0644'
  ;
  # about c
  '/c':
    ensure => file
}
a()
; # about a
b()
include c
, # about c
d";
    comment_after_a_no_break_space: "
foo()\u{a0}# c1
bar(1,\u{2003}# c2
  2)
\u{a0}# c3
baz()";
    comment_in_an_empty_hash: "
$a = { # b
}
$c = {
  /* d */ }";
    block_comment_at_the_end: "
if $x {
  notice(1) # a
  /* b */ }
foo(1, # a
  /* b */ )
bar('c',/* d */)";
    comments_of_a_title: "
file { # why
  '/a': # what
    ensure => file,
}
file {
  # why
  '/b':
    ensure => file,
}";
    comment_of_an_empty_body: "
file {
  default:
    # as usual
  ;
  'b':
    ensure => file, # c
    # d
  ;
  'e':
    ensure => file
}";
    comments_in_a_chain_of_calls: "
$a = $b
  .filter |$x| { $x } # no empty ones
  # all
  .map |$x| { foo($x) }
$c = $d.foo # one
  .bar(1) # two
  .baz";
    comment_before_what_fits_on_a_line: "
# a
A['x'] -> B['y']
case $x {
  # b
  'c', 'd': { a() }
}
foo(
  # e
  $a + $b, 1)
function x($a, $b) {
  # f
  $a + $b
}";
    comments_on_two_lines_within_an_expression: "
$a # b
  /* c */ = [ 1 /* d */ , 2]";
    comment_after_a_keyword: "
if # a
$b { # c
$x=1
}
class # d
e::f { # g
}
node # h
 'i' { # j
}
include # k
l, # m
n";
}

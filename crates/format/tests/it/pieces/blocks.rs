use super::pieces;

pieces! {
    if_: "if $a{notice(1)}";
    if_else: "if $a { 1 } elsif $b { 2 } else { 3 }";
    if_else_on_lines_of_their_own: "
if $a {
  notice(1)
}
elsif $b
{
  notice(2)
}
else
{
  notice(3)
}";
    if_parenthesized: "if( $a ){ notice(1) }";
    if_long_condition: "
if $facts['os']['family'] == 'RedHat' and versioncmp($facts['os']['release']['major'], '8') >= 0 and $manage_repo and !defined(Class['epel']) {
  include epel
}";
    if_long_condition_of_alternatives: "
if ($facts['os']['name'] == 'SLES' and $facts['os']['release']['major'] == '12') or ($facts['os']['name'] == 'OpenSuSE' and $facts['os']['release']['major'] == '42') {
  include epel
}";
    if_empty: "if $a { } else { }";
    if_as_value: "$x = if $a { 1 } else { 2 }";
    unless_: "unless $a{notice(1)}else{notice(2)}";
    case_: "case $a{'x':{notice(1)}'y','z':{notice(2)}default:{}}";
    case_with_short_options: "
case $facts['os']['family'] {
  'Debian' : { include a }
  /(RedHat|Suse)/: { include b }
  default        : { fail('no') }
}";
    case_with_blank_lines: "
case $a {

  1: { }

  2: { }


  default: { }
}";
    case_with_many_values: "
case $facts['os']['name'] {
  'RedHat', 'CentOS', 'OracleLinux', 'Scientific', 'Amazon', 'Fedora', 'Rocky', 'AlmaLinux', 'VirtuozzoLinux', 'Ascendos', 'CloudLinux', 'PSBM', 'OVS', 'OEL': { }
  default: { }
}";
    case_as_value: "$x = case $a { 1: { 'one' } default: { 'other' } }";
    selector: "$a = $b ? { 'x' => 1, 'yyyy' => 2, default => 3 }";
    selector_of_one: "$a = $b ? { default => 3 }";
    selector_without_braces: "$a = $b ? x => 1";
    selector_in_argument: "f($a ? { 1 => 2, default => 3 })";
    selector_nested: "$a = $b ? { 1 => $c ? { 2 => 3, default => 4 }, default => 5 }";
    statements_on_one_line: "$a = 1 $b = 2 include c";
    statements_with_semicolons: "$a = 1; $b = 2; include c";
    statements_that_need_semicolons: "$a = 1; -1";
    statements_with_blank_lines: "



$a = 1



$b = 2


";
    statement_calls: "include   a ,b\nrequire c\nfail 'x'\nnotice 'a'  ,  $b";
    statement_call_with_parenthesis_on_next_line: "include\n($a)";
    statement_call_with_array: "include ['a','b']";
    statement_call_with_hash: "notice { a => 1 }";
    line_ends_of_windows: "class a {\r\n  $b = 1\r\n}\r\n";
    tabs_become_blanks: "class a {\n\t$b\t=\t1\n\tif $b {\n\t\tinclude c\n\t}\n}";
    no_final_line_end: "$a = 1";
    only_blank_lines: "\n\n\n";
    nested_blocks: "class a { if $b { case $c { default: { $d.each |$e| { include $e } } } } }";
}

//! Slips in Puppet's own grammar.

use crate::syntax_errors::broken;

broken! {
    merge_conflict: "
class ntp(
<<<<<<< HEAD
  Integer $port = 123,
=======
  Integer[1, 65535] $port = 123,
>>>>>>> narrower-types
) {
  package { 'ntp': ensure = installed }
}
";
    equals_for_an_arrow: "
file { '/tmp/a':
  ensure = file,
  mode   => '0644',
}
";
    equals_for_an_arrow_in_a_hash: "$x = { 'a' = 1, 'b' = 2 }\n";
    plain_arrow_for_a_fat_arrow: "
file { '/tmp/a':
  ensure -> file,
}
";
    comma_missing_between_attributes: "
file { '/tmp/a':
  ensure => file
  mode   => '0644',
}
";
    comma_missing_in_a_list: "$packages = ['ntp' 'vim' 'git']\n";
    comma_missing_in_a_hash: "
$x = {
  'a' => 1
  'b' => 2
}
";
    comma_missing_between_parameters: "
class ntp (
  String $server
  Integer $port = 123,
) {
}
";
    comma_missing_between_arguments: "notice(join($x ','))\n";
    comma_missing_in_a_selector: "
$x = $y ? {
  'a'     => 1
  default => 2
}
";
    comma_doubled: "$x = [1,, 2]\n";
    comma_after_the_arguments_of_a_method: "$x.each(1,) |$y| { }\n";
    comma_first_in_a_list: "$x = [, 1]\n";
    semicolon_for_a_comma: "
file { '/tmp/a':
  ensure => file;
  mode => '0644';
}
";
    semicolon_at_the_end: "$x = 1;\n";
    semicolon_at_each_line_end: "
class a {
  $x = 1;
  notice($x);
}
";
    colon_missing_after_a_title: "
file { '/tmp/a'
  ensure => file,
}
";
    title_missing: "
package {
  ensure => installed,
}
";
    title_without_quotes: "
file { /tmp/a:
  ensure => file,
}
";
    attribute_without_a_value: "
file { '/tmp/a':
  ensure => ,
}
";
    attribute_without_a_name: "
file { '/tmp/a':
  => file,
}
";
    attribute_name_in_quotes: "
file { '/tmp/a':
  'ensure' => file,
}
";
    attribute_name_with_a_hyphen: "
foo { 'a':
  max-size => 3,
}
";
    arrow_doubled: "
file { '/tmp/a':
  ensure => => file,
}
";
    chain_that_ends_nowhere: "Package['ntp'] ->\n";
    chain_that_starts_nowhere: "-> Service['ntp']\n";
    chain_over_a_block: "
class a {
  package { 'ntp': } ->
}
";
    else_if: "
if $x {
  notice('a')
} else if $y {
  notice('b')
}
";
    unless_with_elsif: "
unless $x {
  notice('a')
} elsif $y {
  notice('b')
}
";
    else_without_if: "
else {
  notice('a')
}
";
    if_without_a_condition: "if {\n  notice('a')\n}\n";
    if_without_braces: "if $x\n  notice('a')\n";
    assignment_in_a_condition: "if $x = 1 {\n  notice('a')\n}\n";
    not_equal_in_the_other_order: "if $x =! 'github' {\n  notice('a')\n}\n";
    case_without_options: "case $x {\n}\n";
    case_with_arrows: "
case $x {
  'a' => { include a }
  default => { include b }
}
";
    case_option_without_a_colon: "
case $facts['os']['family'] {
  'Debian': { include debian }
  'RedHat' { include redhat }
}
";
    conflict_marker_left_over: "
<<<<<<< HEAD
$a = 1
$b = 2
";
    case_option_without_braces: "
case $x {
  'a': include a
  default: include b
}
";
    selector_without_options: "$x = $y ? {}\n";
    selector_with_colons: "
$x = $y ? {
  'a': 1,
  default: 2,
}
";
    index_of_nothing: "notice($x[])\n";
    blank_before_an_index: "notice($facts ['os'])\n";
    parenthesis_on_a_new_line: "
$x = join
  ($list, ',')
";
    keyword_as_a_key: "$x = { class => 'a', if => 'b' }\n";
    keyword_as_a_value: "$x = [one, node, two]\n";
    call_of_a_function_without_parentheses: "create_resources 'file', $files\n";
    call_of_a_value: "$x(1)\n";
    list_without_brackets: "$x = 1, 2, 3\n";
    lambda_as_a_value: "$double = |$x| { $x * 2 }\n";
    lambda_without_a_dollar: "$x.each |y| { notice($y) }\n";
    parameter_without_a_dollar: "class ntp (server, port = 123) {\n}\n";
    parameter_with_its_type_behind: "class ntp ($server String) {\n}\n";
    parameter_with_a_type_in_lower_case: "class ntp (string $server) {\n}\n";
    parameter_with_a_colon: "class ntp ($server: 'a') {\n}\n";
    return_type_with_a_thin_arrow: "function a::b($x) -> Integer {\n  $x\n}\n";
    class_name_in_quotes: "class 'ntp' {\n}\n";
    class_without_a_name: "class {\n}\n";
    class_named_class: "class class {\n}\n";
    class_without_a_body: "class ntp\n";
    class_that_inherits_a_string: "class a inherits 'b' {\n}\n";
    define_that_inherits: "define a inherits b {\n}\n";
    function_without_a_name: "function ($x) {\n}\n";
    node_with_a_variable: "node $hostname {\n}\n";
    node_without_a_name: "node {\n}\n";
    type_alias_in_lower_case: "type port = Integer[1, 65535]\n";
    type_alias_without_a_type: "type Port =\n";
    virtual_call: "@include('a')\n";
    collector_in_lower_case: "file <| tag == 'a' |>\n";
    collector_with_one_equals_sign: "File <| tag = 'a' |>\n";
    override_of_a_string: "'/tmp/a' { mode => '0644' }\n";
    assignment_without_a_value: "$x =\n";
    operator_without_a_right_side: "$x = 1 +\n";
    operator_doubled: "$x = 1 + / 2\n";
    several_independent_errors: "
class a {
  $x = [1 2]
  file { '/a':
    ensure = file,
  }
}

class b {
  if $x {
    notice('b')
  } else if $y {
    notice('c')
  }
}

class c {
  $n = 08
  notice($n)
}
";
    errors_of_several_kinds: "
class Web::server($title) {
  $x += 1
  file { '/a'
    mode => '0644',
  }
  $1 = 'a'
}
";
}

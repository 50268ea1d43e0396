//! Habits from other languages.

use crate::syntax_errors::broken;

broken! {
    elseif: "
if $x {
  notice('a')
} elseif $y {
  notice('b')
}
";
    elseif_before_a_chain: "
if $x {
  A['x'] -> B['y']
} elseif defined(C['z']) {
  C['z'] -> B['y']
} else {
  D['x'] -> B['y']
}
";
    else_misspelled: "
if defined(A['x']) {
  A['x'] -> B['y']
} esle {
  C['z'] -> B['y']
}
";
    if_misspelled: "
class a {
  fi $facts['kernel'] == 'Linux' and $facts['os']['family'] == 'Debian' {
    file { '/a': ensure => file }
  }
}
";
    if_misspelled_before_a_parenthesis: "
class a {
  fi ($facts['kernel'] == 'Linux') {
    file { '/a': ensure => file }
  }
}
";
    define_misspelled_before_many_parameters: "
defne a::b (
  String $one = 'a',
  String $two = 'b',
  String $three = 'c',
  String $four = 'd',
  String $five = 'e',
  String $six = 'f',
  String $seven = 'g',
  String $eight = 'h',
  String $nine = 'i',
  String $ten = 'j',
  String $eleven = 'k',
  String $twelve = 'l',
  String $thirteen = 'm',
) {
  if $one { notice($two) }
  include a::c
}
";
    inherits_misspelled: "
class a ($b) inherit c {
  $d = 1
  $e = 2
}
";
    include_misspelled: "
class a {
  inclde b
  include c
}
";
    include_misspelled_at_the_end: "
class a {
  include b
  inlcude c
}
";
    dollar_doubled: "
class a {
  $x = $$title
  notice($x)
}
";
    elif: "
if $x {
  notice('a')
} elif $y {
  notice('b')
}
";
    double_ampersand: "if $a && $b {\n  notice('a')\n}\n";
    double_bar: "if $a || $b {\n  notice('a')\n}\n";
    word_not: "if not $a {\n  notice('a')\n}\n";
    triple_equals: "if $a === 1 {\n  notice('a')\n}\n";
    diamond_not_equal: "if $a <> 1 {\n  notice('a')\n}\n";
    ternary: "$x = $a ? 'yes' : 'no'\n";
    increment: "$i++\n";
    colon_equals: "$x := 1\n";
    for_loop: "for $user in $users {\n  notice($user)\n}\n";
    foreach_loop: "foreach ($users as $user) {\n  notice($user)\n}\n";
    while_loop: "while $x < 3 {\n  notice($x)\n}\n";
    switch_statement: "switch $x {\n  case 'a': notice('a')\n}\n";
    null_coalescing: "$x = $a ?? 'b'\n";
    safe_navigation: "$x = $a?.b\n";
    format_of_a_string: "notice('%s' % 'a')\nnotice('a' 'b')\n";
    append_to_a_variable: "$list += ['a']\n";

    ruby_method: "def greet(name)\n  puts name\nend\n";
    ruby_block: "$users.each do |user|\n  notice(user)\nend\n";
    ruby_block_in_braces: "$users.each { |$user| notice($user) }\n";
    ruby_if: "if $x then\n  notice('a')\nend\n";
    ruby_call_without_parentheses: "puts 'hello'\n";
    import: "import 'nodes/*.pp'\n";
    ruby_symbol: "file { '/a':\n  ensure => :present,\n}\n";
    ruby_instance_variable: "notice(@name)\n";
    ruby_hash: "$x = { a: 1, b: 2 }\n";
    ruby_unless_modifier: "notice('a') if $x\n";
    ruby_range: "range(1..3).each |$i| { notice($i) }\n";

    python_function: "def greet(name):\n    print(name)\n";
    python_if: "if $x:\n  notice('a')\n";

    javascript_arrow: "$users.each(($user) => { notice($user) })\n";
    javascript_variable: "let $x = 1\n";
    javascript_lambda: "$users.map |$u| => { $u }\n";

    yaml_attributes: "
file { '/tmp/a':
  ensure: file
  mode: '0644'
}
";
    yaml_document: "---\nclasses:\n  - ntp\n";
    json_hash: "$x = { \"a\": 1, \"b\": [true, null] }\n";
    shell_variable: "file { ${path}:\n  ensure => file,\n}\n";
    shell_command: "$x = $(date)\n";
    terraform_block: "resource \"file\" \"a\" {\n  path = \"/a\"\n}\n";
    ini_section: "[main]\nserver = puppet.example.com\n";
    xml: "<config>\n</config>\n";
    prose: "Please install ntp on all servers.\n";
}

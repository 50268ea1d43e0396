//! Code that parses, but is invalid: static validation.

use crate::syntax_errors::broken;

broken! {
    class_in_a_condition: "if $x {\n  class a {\n  }\n}\n";
    define_in_a_define: "define a() {\n  define b() {\n  }\n}\n";
    function_in_a_class: "class a {\n  function b() {\n  }\n}\n";
    definition_name_with_a_hyphen: "class my-class {\n}\n";
    definition_name_with_a_capital: "class MyClass {\n}\n";
    definition_name_from_the_top: "class ::ntp {\n}\n";
    definition_named_like_a_type: "class string {\n}\n";
    definition_named_plan: "class plan {\n}\n";
    reserved_word_as_a_value: "$x = private\n";
    node_that_inherits: "node 'a' inherits 'b' {\n}\n";
    node_with_blanks: "node 'web server' {\n}\n";
    node_with_an_interpolation: "node \"web${n}\" {\n}\n";
    type_with_a_body: "type Foo {\n}\n";
    type_mapping_with_a_pattern_on_one_side: "type Runtime[ruby, [/^A/, 'B']] = C\n";

    parameter_named_title: "define a($title) {\n}\n";
    parameter_twice: "class a(\n  $x,\n  $y,\n  $x = 1,\n) {\n}\n";
    parameter_that_is_a_number: "class a($1) {\n}\n";
    parameter_with_a_capital: "class a($Server) {\n}\n";
    rest_parameter_not_last: "$x.each |*$a, $b| { }\n";
    rest_parameter_of_a_class: "class a(*$servers) {\n}\n";
    assignment_in_a_default: "class a($x = ($y = 1)) {\n}\n";
    computed_type_of_a_parameter: "class a(Integer[1, $max] $x) {\n}\n";

    assignment_in_another_scope: "$ntp::server = 'a'\n";
    assignment_of_a_match: "$1 = 'a'\n";
    assignment_of_an_element: "$x['a'] = 1\n";
    assignment_of_a_name: "server = 'a'\n";
    assignment_of_a_call: "f($x) = 1\n";
    removal_from_a_variable: "$x -= 1\n";

    collector_as_a_value: "$x = File <| |>\n";
    class_as_a_value: "$x = class a { }\n";
    comparison_for_an_assignment: "$x == 1\nnotice($x)\n";
    value_at_the_end_of_a_class: "class a {\n  $x = 1\n  $x + 1\n}\n";
    value_in_the_middle: "'just a string'\nnotice('a')\n";
    hash_after_a_resource_type: "notify { message => 'hello' }\n";
    default_twice_in_a_case: "
case $x {
  default: { include a }
  'b':     { include b }
  default: { include c }
}
";
    default_twice_in_a_selector: "$x = $y ? { default => 1, default => 2 }\n";
    key_twice: "$x = {\n  'a' => 1,\n  'b' => 2,\n  'a' => 3,\n}\n";
    call_of_a_string: "'notice'('a')\n";
    collector_of_a_reference: "File['a'] <| |>\n";

    append_in_a_declaration: "file { '/a':\n  mode +> '0644',\n}\n";
    append_in_defaults: "File {\n  require +> Package['a'],\n}\n";
    unfolding_twice: "file { '/a':\n  * => $x,\n  * => $y,\n}\n";
    virtual_defaults: "@File { mode => '0644' }\n";
    virtual_class: "@class { 'ntp': }\n";
    query_with_a_match: "File <| title =~ /a/ |>\n";
    query_with_a_call: "File <| f('a') |>\n";

    resource_in_a_plan(tasks): "plan a::b() {\n  file { '/a': }\n}\n";
    class_in_tasks_mode(tasks): "class a {\n}\n";
    apply_in_apply(tasks): "plan a::b($x) {\n  apply($x) {\n    apply($x) { }\n  }\n}\n";
    exported_collector_in_apply(tasks): "plan a::b($x) {\n  apply($x) {\n    File <<| |>>\n  }\n}\n";
    plan_outside_tasks_mode: "plan a::b() {\n}\n";
}

use super::pieces;

pieces! {
    class_empty: "class a { }";
    class_with_brace_on_its_own_line: "
class a
{
  include b
}";
    class_blank_lines_inside: "
class a {

  include b


  include c

}";
    class_parameters: "class a($b,$c=1){}";
    class_parameters_typed: "
class ntp (
  Boolean $broadcastclient = false,
  Optional[Stdlib::Absolutepath] $config_dir = undef,
  Enum['running', 'stopped'] $service_ensure,
  $untyped = 'x'
) { }";
    class_parameters_wide_type: "
class a (
  Variant[Array[Stdlib::IP::Address::Nosubnet], Stdlib::IP::Address::Nosubnet, Undef] $address = undef,
  String $b = 'b',
  Integer $long_name = 1,
) { }";
    class_parameters_struct: "
class a (
  Struct[{ name => String[1], Optional[mode] => Stdlib::Filemode, owner => Variant[String, Integer], group => Variant[String, Integer], }] $file,
  String $b = 'x',
) { }";
    class_parameters_with_hash: "class a (Hash $options = { 'a' => 1, 'bb' => 2 }, $b = [1, 2]) { }";
    class_parameters_without_any: "class a () { }";
    class_inherits: "class a::b($x = $a::params::x)inherits a::params{}";
    class_inherits_without_parameters: "class a inherits b{}";
    define_: "define a::b(String $c,Integer $d=1){notice($c)}";
    define_with_lines: "
define a
(
  $b
)
{
}";
    function_short: "function a::b(String $x)>>Integer{1}";
    function_without_parameters: "function a::b{1}";
    function_with_trailing_comma: "function a::b(String $x,) >> String { $x }";
    function_rest: "function a($x, Integer *$rest) { $rest }";
    node_definition: "node 'a.example.org','b'{include c}";
    node_default: "node default{}";
    node_regex: "node /^web\\d+$/ , bare.example.org { }";
    definitions_stand_apart: "
class a { }
class b { }
# c
define c { }
include d";
    type_alias: "type A::B=Variant[String,Integer]";
    type_alias_with_trailing_comma: "type A = Enum['a', 'b',]";
    type_alias_struct: "type A = Struct[{a=>String,Optional['b']=>Integer}]";
    type_alias_long: "type A = Variant[Pattern[/^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$/], Enum['bbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccc'], Undef, Boolean]";
    type_object: "type A = { attributes => { a => String } }";
    type_object_with_parent: "type A = B { attributes => { a => String } }";
    type_mapping: "type Runtime[ruby, 'A::B'] = C";
    plan(tasks): "plan a::b(TargetSpec $targets,String $c='d'){return run_task('e',$targets)}";
    plan_apply(tasks): "plan a(TargetSpec $t) { apply($t, '_catch_errors' => true) { file { '/a': ensure => file } } }";
}

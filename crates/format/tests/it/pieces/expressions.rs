use super::pieces;

pieces! {
    operators: "$a = 1+2*3-4/5%6 << 7 >> 8";
    operators_comparison: "$a = 1<2 and 3>=4 or 5==6 and ! $b";
    operators_match: "$a = $b=~/c/ and $d!~ E and 'f' in $g";
    operators_unary: "$a = - 1\n$b = ! $c\n$d = * $e\n$f = - - 1\n$g = !! $h";
    operators_long: "$a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' in $bbbbbbbbbbbbbbbbbbbbbbbb and 'cccccccccccccccccccccccccccccccccc' in $dddddddddddd";
    operators_at_line_ends: "
$a = $b and
     $c or
     $d";
    parenthesized: "$a = ( 1 + 2 ) * ( 3 )";
    parenthesized_long: "
if ($aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb and $ccccccccccccccccccccccccccccccccccccccc) {
  include d
}";
    assignment_chain: "$a=$b=1";
    numbers: "$a = [0x1F,017,1.5e-3,42]";
    strings_stay: "$a = \"b ${ c } $d ${e['f']}\" $g = 'h' $i = \"j\"";
    string_with_line_ends: "
class a {
      $b = 'c
  d'
}";
    call: "f( 1,2 )";
    call_empty: "f( )";
    call_nested: "$a = f(g( h( 1 ) ),2)";
    call_with_trailing_comma: "f('a', 'b',)";
    call_with_pairs: "f('a', b => 1, ccc => 2)";
    call_long: "$a = regsubst($bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, 'ccccccccccccccccccccccccccccccccccccccc', 'dddddddddddddddddddddddddddddddd', 'G')";
    call_with_last_hash: "$a = epp('aaaaaaaaaaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbbbbbbbbbb.epp', { 'cccccccccccccc' => $dddddddddddddddddddd, 'eeee' => $ffffffffffffffffffff })";
    call_with_last_hash_and_comma: "$a = epp('a.epp', { 'c' => $d, 'eeee' => $f, })";
    call_with_last_array: "ensure_packages(['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'ccccccccccccccccccccccccccccccccccc', 'd'])";
    call_with_two_hashes: "f({ 'a' => 1, 'b' => 2, }, { 'c' => 3 })";
    call_type: "$a = Integer( '1' , 10 )";
    call_deferred: "$a = Deferred('f',['b'])";
    method_call: "$a . b( 1 ) . c";
    method_chain: "$a = $foodgroups.fruit.vegetables.sort.join(',')";
    lambda_statement: "$a.each|$b,$c|{notice($b)}";
    lambda_value: "$a = $b.map|$c|{ $c+1 }";
    lambda_value_with_two_statements: "$a = $b.map |$c| { $d = $c + 1 $d * 2 }";
    lambda_typed: "$a.each |Integer $b, String $c = 'd'| >> Integer { 1 }";
    lambda_without_parameters: "$a = with() || { 1 }";
    lambda_of_call: "each($a) |$b| { include $b }";
    lambda_chain: "$berries = $foods.filter |$name, $kind| { $kind == 'fruit' }.map |$name, $kind| { String($name, '%c') }";
    lambda_long: "$a = $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.filter |$cccccccccccccccccccc, $dddddddddddddddddd| { $cccccccccccccccccccc =~ /eeeeeeeeeeeeeeee/ }";
    lambda_with_resource: "$a.each |$b| { file { $b: ensure => file } }";
    lambda_reduce: "$a = $b.reduce({}) |$memo, $c| { $memo + { $c => 1 } }";
    function_reference_type: "$a = Optional[Variant[String,Array[String,1]]]";
    regular_expressions: "$a = $b ? { /^a\\/b$/ => 1, default => 2 }";
    keywords_as_calls: "$a = type( $b )";
    operators_in_a_block: "
$a = $b.reduce({}) |$acc, $kv| {
  $acc + { $kv[0] => 'a value that takes several lines', 'another key' => 'another value', 'a third key' => 'a third value', 'a fourth' => 4 }
}";
    bare_argument: "
function a() {
  return foo({
    b => 1, c => 2 })
}
include [
  'a_rather_long_name_of_a_class_aaaaaaaaaaaaaaaaaaa', 'a_rather_long_name_of_a_class_bbbbbbbbbbbbbbbbbbb', 'a_rather_long_name_of_a_class_ccccccccccccc']
notice 'a_rather_long_text_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', [ 'a_rather_long_text_bbbbbbbbbbbbbbbbbb', 'a_rather_long_text_cccccccccccc'
]";
    operator_before_a_broken_bracket: "
if $x in [
  'a', # one
  'b',
] { include y }
if false in [$windows_instance_image.is_a(Undef), $windows_node_count.is_a(Undef), $windows_password.is_a(Undef), $windows_user.is_a(Undef)] { }
$a = $b.reduce({}) |$memo, $c| {
  $memo + { $c => $d ? { true => 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', default => 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' } }
}
$e = $aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + ['cccccccccccccc', 'ddddddddddd']
$f = $g and $h in [ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'ccccccccccccccccccccccccc' ]
$i = { 'j' => 1, } + $k + { 'l' => 2, }
";
}

//! Pieces at other line widths.

use crate::support::mode;

macro_rules! narrow {
    ($($name:ident($width:literal): $source:expr;)*) => {
        $(#[test] fn $name() { crate::pieces::check(stringify!($name), mode(false, false), $source, $width); })*
    };
}

const CALL: &str = "$a = f('bbbbbbbb', g('cccccccc', 'dddddddd'), ['eeeeeeee', 'ffffffff'])";
const CHAIN: &str = "Package['aaaaaaaaaa'] -> Service['bbbbbbbbbb']";
const CONDITION: &str = "if $aaaa == 1 and ($bbbb == 2 or $cccc == 3) { include d }";

narrow! {
    width_80_call(80): CALL;
    width_60_call(60): CALL;
    width_40_call(40): CALL;
    width_20_call(20): CALL;
    width_60_chain(60): CHAIN;
    width_40_chain(40): CHAIN;
    width_60_condition(60): CONDITION;
    width_40_condition(40): CONDITION;
    width_20_condition(20): CONDITION;
    width_30_parameters(30): "function a(String $b, Integer $ccc = 1) >> String { $b }";
    width_30_lambda(30): "$a = $b.map |$c| { $c.upcase }";
    width_30_include(30): "include aaaaaaaaaa, bbbbbbbbbb, cccccccccc";
    width_30_case(30): "case $a { 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd': { } }";
    width_30_node(30): "node 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd' { }";
    width_30_collector(30): "File <| title == 'aaaaaaaaaa' and tag == 'b' |>";
    width_30_torn_key(30): "$a = { ['bbbbbbbbbb', 'cccccccccc'] => 1, 'dddddddddd' => 2, 'e' => 3 }";
    width_30_torn_type(30): "class a(Struct[{ 'bbbbb' => String[1] }] $c = {}, String $dd = 'e', Integer $f = 1) { }";
    width_30_sum(30): "$a = 'bbbbbbbbbb' + 'cccccccccc' * 2 + 'dddddddddd'";
    width_30_comma_before_a_semicolon(30): "
file {
  '/a':
    content => 'aaaaaaaaaaaa';
  '/b':
    content => 'bbbbbbbbbbbbb';
  '/c':
    content => 'cccccccccccccc';
  '/d':
    content => 'dddddddddddddd';
}";
    width_30_index_of_a_call(30): "
$a = bbbbbbb('cccccc', 'ddd')[0]
$a = $b.eeee('ffffff', 1)['g'][$h]
$a = bbbbbbb('cccccc', 'ddd')[0, 1]
$a = Fffff['gggggggggggggggggggg']
";
    width_60_last_comma(60): "
class a(
  Optional[String] $p = lookup('xxxxxxxxx', String, 'first'),
) {}";
}

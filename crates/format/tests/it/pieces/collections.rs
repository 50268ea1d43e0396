use super::pieces;

pieces! {
    array_short: "$a = [ 1,2 , 3 ]";
    array_with_trailing_comma: "$a = [1, 2,]";
    array_empty: "$a = [ ]";
    array_long: "$a = ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccccccccccccccc', 'dddddddddddddddddddddddd']";
    array_broken_without_trailing_comma: "
$a = [
  'a',
  'b'
]";
    array_with_blank_lines: "
$a = [
  'a',

  'b',
]";
    array_of_arrays: "$a = [[1,2],[3,4],]";
    array_of_hashes: "$a = [{ 'a' => 1, 'b' => 2 }, { 'c' => 3 }]";
    array_of_pairs: "$a = [a => 1, b => 2]";
    hash_of_one: "$a = {b=>1}";
    hash_of_two: "$a = { 'key' => 'v', 'other_key' => 'w' }";
    hash_empty: "$a = { }";
    hash_of_one_with_trailing_comma: "$a = { b => 1, }";
    hash_of_hashes: "$a = { b => { c => 1, ddd => 2 }, eeee => { f => 3 } }";
    hash_with_long_keys: "$a = { 'a' => 1, \"bbbbbbbbbbbbbbb${c}\" => 2, $d => 3, 4 => 5, [6] => 7 }";
    hash_with_keyword_keys: "$a = { default => 1, undef => 2, type => 3 }";
    hash_with_long_value: "$a = { b => 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', d => 1 }";
    hash_in_argument: "create_resources('file', { 'a' => 1, 'b' => 2 })";
    access: "$a = $b['c'] [ 'd' ]\n$e = $facts['os']['family']";
    access_reference: "$a = File['a','b']";
    access_long: "$a = File['/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '/ccccccccccccccccccccccccccccc']";
    multiple_assignment: "[$a,$b]=[1,2]";
}

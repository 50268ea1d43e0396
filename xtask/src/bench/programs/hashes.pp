$all = Integer[1, 2000].reduce({}) |$memo, $x| { $memo + { "key-${x}" => { 'value' => $x } } }
$all.keys.length

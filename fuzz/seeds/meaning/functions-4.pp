$a = stdlib::ensure('present')
$b = validate_hash({})
$c = also_here()
$d = puppetdb_query('nodes {}')
$e = mine(1) + environment::ours(1)
function environment::ours($x) { $x }

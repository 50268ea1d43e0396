{a => 1, b => 2}.each |$k, $v| { if $v == 2 { break() } notice($v) true }

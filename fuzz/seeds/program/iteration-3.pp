{a => 1, b => 2}.map |$k, $v| { if $v == 2 { break() } notice($v) true }

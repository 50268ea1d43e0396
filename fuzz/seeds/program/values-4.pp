assert_type(Integer, a) |$expected, $actual| { notice([$expected, $actual]) 7 }

assert_type('Integer', a) |$expected, $actual| { 7 }

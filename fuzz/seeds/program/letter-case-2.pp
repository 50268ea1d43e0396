upcase({'a' => {'b' => ['c']}})

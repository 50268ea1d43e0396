[1, 'two', 3.0, undef, default]

values({a => 1, b => undef, c => [1], d => {e => 1}})

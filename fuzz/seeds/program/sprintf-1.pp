sprintf('%s', { a => undef, 'b' => [Sensitive('x')] })

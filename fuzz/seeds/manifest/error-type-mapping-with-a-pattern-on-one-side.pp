type Runtime[ruby, [/^A/, 'B']] = C

shellquote('foo bar', [['a', 'b c']])

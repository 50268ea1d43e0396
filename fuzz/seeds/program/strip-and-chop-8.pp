chomp(["a\n", 'b'])

scanf("1\n2\t3", '%d %d %d')

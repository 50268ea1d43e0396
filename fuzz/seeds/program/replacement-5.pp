regsubst("A\nB", 'a . b', '-', 'EIM')

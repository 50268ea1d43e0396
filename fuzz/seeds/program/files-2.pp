file('site/nope', 'site/hello.txt')

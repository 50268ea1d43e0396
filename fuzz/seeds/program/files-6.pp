find_file('site/nope', 'site/sub/deep.txt')

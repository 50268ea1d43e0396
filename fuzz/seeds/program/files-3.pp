String(binary_file('site/sub/deep.txt'))

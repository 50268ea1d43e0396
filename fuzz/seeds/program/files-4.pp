String(binary_file('site/hello.txt'), '%s')

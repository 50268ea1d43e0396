find_file(['site/nope', 'site/bom.txt'])

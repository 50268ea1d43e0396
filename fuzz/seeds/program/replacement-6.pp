regsubst('axyb', "x # the first\ny", '-', 'E')

scanf('ab12', '%3[[:alnum:]]%s')

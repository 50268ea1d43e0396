scanf('10 %5', '%d%%%d')

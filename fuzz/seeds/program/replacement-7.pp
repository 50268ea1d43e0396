regsubst('abcabc', '(?<=a)b', '[\`|\0]', 'G')

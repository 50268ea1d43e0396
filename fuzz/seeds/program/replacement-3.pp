regsubst('abc', '(?<m>b)(?<m>c)', '[\k<m>]')

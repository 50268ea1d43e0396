File['a'] -> File['b']

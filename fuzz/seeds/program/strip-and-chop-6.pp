rstrip([' a ', 'b '])

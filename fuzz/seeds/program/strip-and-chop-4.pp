lstrip([' a', ' b '])

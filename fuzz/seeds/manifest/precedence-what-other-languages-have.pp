$r = not true

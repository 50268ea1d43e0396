rstrip("a \u0000 ")

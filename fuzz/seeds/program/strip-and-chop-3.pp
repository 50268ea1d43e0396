lstrip("\u0000 a")

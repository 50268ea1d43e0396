strip("\u0000 a \u0000")

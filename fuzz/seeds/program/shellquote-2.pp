shellquote('a"b', "c'd", "e\"'f", "\$x", "é\"'")

strip("\u3000a\u3000")

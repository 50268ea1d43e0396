split("a\tb\u00A0c", /\s/)

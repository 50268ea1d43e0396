split("a\tb\u00A0c", /[[:space:]]/)

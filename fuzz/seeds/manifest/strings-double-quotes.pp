"plain"
""
"a\"b"
"a\'b"
"a\\b"
"\$x"
"a\nb\rc\td\se"
"\u0041"
"\u{1F600}"
"\u{e9}"
"a\
b"
"a\
b"


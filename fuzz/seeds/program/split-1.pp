split(Sensitive('a,b'), Regexp[/,/])

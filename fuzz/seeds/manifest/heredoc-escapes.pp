$x = @(END)
a\tb\\
END
$x = @(END/)
a\tb\\
END
$x = @(END/t)
a\tb\nc\\
END
$x = @(END/tn)
a\tb\nc
END
$x = @(END/u)
\u0041\u{42}
END
$x = @(END/s)
a\sb
END

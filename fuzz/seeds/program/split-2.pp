[split(Sensitive('a,b'), ',').unwrap]

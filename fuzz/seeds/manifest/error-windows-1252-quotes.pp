notice(hello)

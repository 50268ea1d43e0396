(notice(a) and notice(b)) or notice(c)

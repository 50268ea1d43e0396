empty(Sensitive('a'))

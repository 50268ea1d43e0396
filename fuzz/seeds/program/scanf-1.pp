scanf('0x1f 017 9', '%i %i %i')

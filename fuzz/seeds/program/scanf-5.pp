scanf('äö1', '%[[:alpha:]]%d')

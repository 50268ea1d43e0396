type(Integer[1, 2], reduced)

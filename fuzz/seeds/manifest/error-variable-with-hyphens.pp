$my-var = 1

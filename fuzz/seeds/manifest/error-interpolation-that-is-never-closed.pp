$path = "/home/${user"
notice($path)


$x = [one, node, two]

$x = join
  ($list, ',')


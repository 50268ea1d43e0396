convert_to('5', Integer) |$x| { $x + 1 }

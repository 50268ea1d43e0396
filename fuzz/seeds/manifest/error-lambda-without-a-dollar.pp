$x.each |y| { notice($y) }


notice(join($x, ',')))


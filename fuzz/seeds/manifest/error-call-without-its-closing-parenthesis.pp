notice(join($x, ',')
include a


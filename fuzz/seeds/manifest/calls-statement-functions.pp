require a
realize A['b']
include a, b
contain a
tag a
debug a
info a
notice a
warning a
err a
fail a
import 'a'
break 1
next 1
return 1
include

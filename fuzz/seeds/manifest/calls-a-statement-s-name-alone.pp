notice
$x = notice
include


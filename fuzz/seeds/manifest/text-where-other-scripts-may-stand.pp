'grüße'
"päckchen ${x} für 你"
$x = 1 # größer
/* ü */ 1


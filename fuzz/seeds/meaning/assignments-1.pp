$port = 80
$address = '0.0.0.0'
$port = 8080
notice("${address}:${port}")

function web::url(String $host, Integer $port = 80) >> String {
  $host = $host.downcase
  [$path, $query] = ['/', '']
  [$path, $fragment] = ['/a', '']
  [1].each |$number| {
    $number = 2
    $last = $number
    $last = $number
    notice($last)
  }
  "${host}:${port}${path}${query}${fragment}"
}

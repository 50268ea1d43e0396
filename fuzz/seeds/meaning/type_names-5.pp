class web(Int $port, Bool $ssl, Intger $size) {
  notice($port, $ssl, $size)
}

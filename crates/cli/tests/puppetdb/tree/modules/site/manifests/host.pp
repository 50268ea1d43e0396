define site::host(String $address, Integer $port = 80, Array $opts = []) {
  notify { "host ${title} ${address} ${port} ${opts}": }
}

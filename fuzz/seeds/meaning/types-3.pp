class web(Hash[String, Integer] $ports, Optional[String] $name_suffix = undef) {
  $ports.each |$name, $port| {
    web::vhost { $name:
      port    => $port,
      options => { 'timeout' => 30 },
      root    => "/srv/${name}".length,
      index   => $name_suffix,
    }
  }
}
define web::vhost(Integer $port, String $root, Hash $options = {}, String $index = 'index.html') { }

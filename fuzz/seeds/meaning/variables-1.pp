class web(String $root, Integer $port = 80, String $base = "${root}/www", $late = $later,
) {
  $config = "${root}/web.conf"
  file { $config: content => "port ${prot}" }
  notice($config, $title, $name, $module_name, $facts, $trusted, $environment, $server_facts)
}

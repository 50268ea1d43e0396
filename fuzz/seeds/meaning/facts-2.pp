$domain = 'example.org'
class web(String $hostname, String $id = 'web') {
  $uptime = 1
  notice($facts['os']['family'], $facts['networking']['fqdn'], $hostname, $id, $uptime, $domain, $::domain)
  $other = { 'osfamily' => 1 }
  notice($other['osfamily'], $facts['kernel'], $kernel)
  $other.each |$fqdn, $value| { notice($fqdn, $value) }
}

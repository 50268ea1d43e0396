class web {
  $name_ = $facts['osfamily'] ? {
    'Debian' => 'apache2',
    default  => 'httpd',
  }
  if $::operatingsystem == 'Ubuntu' {
    notice("${fqdn} runs ${name_}")
  }
  notice($hostname, "$::ipaddress")
}

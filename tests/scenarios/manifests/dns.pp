# debian-12 redhat-9 ubuntu-22.04
class { 'dns':
  dns_server_package    => 'dns-server-package-value',
  zonefilepath          => '/srv/zonefilepath',
  additional_directives => ['additional-directive-value'],
}
dns::key { 'example':
  keysize => 513,
}
dns::zone { 'example':
  soa              => 'soa-value',
  negttl           => 3601,
  manage_file_name => true,
  forwarders       => ['forwarder-value', '-value'],
}

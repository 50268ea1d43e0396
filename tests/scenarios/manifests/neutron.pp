# debian-12 redhat-9 ubuntu-22.04
class { 'neutron':
  dhcp_lease_duration       => 'dhcp-lease-duration-value',
  kombu_failover_strategy   => 'kombu-failover-strategy-value',
  amqp_group_request_prefix => 'amqp-group-request-prefix-value',
  amqp_sasl_mechanisms      => ['amqp_sasl_mechanism1', 'amqp_sasl_mechanism2'],
  purge_config              => true,
}
neutron::plugins::ml2::mech_driver { 'example': }
neutron::plugins::ml2::networking_ansible_host { 'example':
  ansible_network_os => ['ansible_network_o1', 'ansible_network_o2'],
  ansible_host       => '192.0.2.61',
  ansible_user       => 'appuser',
  ansible_ssh_pass   => ['ansible_ssh_pas1', 'ansible_ssh_pas2'],
  mac                => 'mac-value',
  hostname           => 'example_hostname',
  manage_vlans       => false,
}
neutron::plugins::ml2::type_driver { 'example':
  flat_networks       => ['flat_network1', 'flat_network2'],
  tunnel_id_ranges    => ['tunnel_id_range1', 'tunnel_id_range2'],
  network_vlan_ranges => ['network_vlan_range1', 'network_vlan_range2'],
  vni_ranges          => ['vni_range1', 'vni_range2'],
  vxlan_group         => 'appgroup',
  max_header_size     => 10,
}

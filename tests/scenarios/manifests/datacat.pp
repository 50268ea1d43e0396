# debian-12 redhat-9 ubuntu-22.04
datacat { '/etc/nagios/objects/hostgroups.cfg': template_body => 'Your gerbils: <%= @data["gerbils"].sort.join(",") %>' }
datacat_fragment { 'first': target => '/etc/nagios/objects/hostgroups.cfg', data => { gerbils => ['charlie', 'bert'] } }
datacat_collector { 'example':
  ensure => 'present',
  collects => ['collect1', 'collect2'],
  target_resource => 'target-resource-value',
  target_field => 'target-field-value',
  source_key => '/etc/example/source-key',
}
datacat_fragment { 'example':
  target => 'target-value',
  order => 'order-value',
  data => 'data-value',
}

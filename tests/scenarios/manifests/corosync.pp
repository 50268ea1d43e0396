# debian-12 redhat-9 ubuntu-22.04
class { 'corosync': cluster_name => 'example', set_votequorum => true, quorum_members => ['192.0.2.10', '192.0.2.11'] }
corosync::service { 'example':
  version => '2.4',
}
include corosync::reprobe
cs_clone { 'example':
  ensure => 'present',
  primitive => 'primitive-value',
  group => 'appgroup',
  clone_max => 60,
  clone_node_max => 60,
}
cs_colocation { 'example':
  ensure => 'present',
  primitives => ['primitive1', 'primitive2'],
  score => 'score-value',
  cib => 'cib-value',
}
cs_commit { 'example':
  cib => 'cib-value',
}
cs_group { 'example':
  ensure => 'present',
  primitives => ['primitive1', 'primitive2'],
  cib => 'cib-value',
}
cs_location { 'example':
  ensure => 'present',
  primitive => 'primitive-value',
  node_name => 'example_node_name',
  resource_discovery => 'resource-discovery-value',
  score => 'score-value',
}
cs_order { 'example':
  ensure => 'present',
  first => 'first-value',
  second => 'second-value',
  score => 'score-value',
  kind => 'kind-value',
}
cs_primitive { 'example':
  ensure => 'present',
  parameters => ['parameter1', 'parameter2'],
  operations => ['operation1', 'operation2'],
  utilization => 'utilization-value',
  metadata => 'metadata-value',
}
cs_property { 'example':
  ensure => 'present',
  value => 'value-value',
  cib => 'cib-value',
  replace => 'replace-value',
}
cs_rsc_defaults { 'example':
  ensure => 'present',
  value => 'value-value',
  cib => 'cib-value',
}
cs_shadow { 'example':
  epoch => 'epoch-value',
  autocommit => 'autocommit-value',
}

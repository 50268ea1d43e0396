# redhat-9
class { 'ceph::conf':
  defaults => { 'example' => 'value' },
}
class { 'ceph::keys':
  defaults => { 'example' => 'value' },
}
class { 'ceph::mds':
  pkg_mds_ensure => 'present',
  mds_data       => 'mds-data-value',
  mds_enable     => false,
  mds_ensure     => 'present',
  mds_id         => 'mds-id-value',
}
include ceph::mons
include ceph::osds

# debian-12 redhat-9 ubuntu-22.04
class { 'ceph': fsid => '066F558C-6789-4A93-AAF1-5AF1BA01A3AD', mon_host => '192.0.2.10' }
ceph::fs { 'example':
  metadata_pool => 'metadata-pool-value',
  data_pool     => 'data-pool-value',
}
ceph::key { 'example':
  secret         => 's3cr3t',
  keyring_path   => '/srv/keyring-path',
  cap_mds        => ['cap_md1', 'cap_md2'],
  cap_mgr        => 'cap-mgr-value',
  user           => 'appuser',
  inject         => true,
  inject_keyring => 'inject-keyring-value',
}
ceph::mgr { 'example':
  key        => '/etc/example/key',
  inject_key => true,
}
ceph::mirror { 'example':
  pkg_mirror => 'rbd-mirror',
}
ceph::mon { 'example':
  ensure  => 'present',
  cluster => 'cluster-value',
  key     => '/etc/example/key',
}
ceph::osd { 'example':
  bluestore_wal        => 'bluestore-wal-value',
  store_type           => 'tcp',
  exec_timeout         => 60,
  selinux_file_context => 'ceph_var_lib_t',
}
ceph::pool { 'example':
  size => 1,
}
ceph::rgw::apache_proxy_fcgi { 'example':
  admin_email        => 'admin@example.com',
  rgw_dns_name       => 'example_rgw_dns_name',
  rgw_port           => '5960',
  proxy_pass         => ['proxy_pas1', 'proxy_pas2'],
  apache_mods        => true,
  apache_purge_vhost => false,
}

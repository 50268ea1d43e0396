# debian-12 redhat-9 ubuntu-22.04
include glance
glance::backend::multistore::cinder { 'example':
  cinder_catalog_info           => 'cinder-catalog-info-value',
  cinder_store_project_name     => 'example_cinder_store_project_name',
  cinder_store_user_name        => 'example_cinder_store_user_name',
  cinder_store_password         => 's3cr3t',
  cinder_store_user_domain_name => 'example_cinder_store_user_domain_name',
  cinder_enforce_multipath      => '/srv/cinder-enforce-multipath',
}
glance::backend::multistore::file { 'example':
  filesystem_store_datadir       => '/srv/filesystem-store-datadir',
  filesystem_store_metadata_file => '/etc/example/filesystem-store-metadata-file',
  filesystem_store_chunk_size    => 60,
}
glance::backend::multistore::http { 'example':
  https_ca_certificates_file => '/etc/example/https-ca-certificates-file',
  http_proxy_information     => 'http-proxy-information-value',
}
glance::backend::multistore::rbd { 'example':
  rbd_store_pool        => 'rbd-store-pool-value',
  rbd_store_chunk_size  => 1,
  rbd_thin_provisioning => 'rbd-thin-provisioning-value',
  manage_packages       => false,
  rados_connect_timeout => 1,
  store_description     => 'store-description-value',
}
glance::backend::multistore::s3 { '/srv/example':
  s3_store_host       => '192.0.2.58',
  s3_store_access_key => '/etc/example/s3-store-access-key',
  s3_store_secret_key => 's3cr3t',
  s3_store_bucket     => 's3-store-bucket-value',
}
glance::backend::multistore::swift { 'example':
  swift_store_user                    => 'appuser',
  swift_store_key                     => '/etc/example/swift-store-key',
  swift_store_auth_version            => '2.4',
  swift_store_large_object_size       => 5,
  swift_store_large_object_chunk_size => 1,
  swift_store_config_file             => '/etc/example/swift-store-config-file',
}
glance::backend::multistore::vsphere { 'example.service':
  vmware_server_host     => '192.0.2.65',
  vmware_server_username => 'appuser',
  vmware_server_password => 's3cr3t',
  vmware_store_image_dir => '/srv/vmware-store-image-dir',
}
include glance::client

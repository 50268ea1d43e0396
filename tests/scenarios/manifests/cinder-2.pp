# debian-12 redhat-9 ubuntu-22.04
cinder::backend::dellemc_unity { 'example':
  san_ip              => '192.0.2.127',
  san_login           => 'san-login-value',
  san_password        => 's3cr3t',
  storage_protocol    => 'tcp',
  volume_backend_name => 'example_volume_backend_name',
}
cinder::backend::dellemc_xtremio { '/srv/example':
  san_ip               => '192.0.2.139',
  san_login            => 'san-login-value',
  san_password         => 's3cr3t',
  xtremio_cluster_name => 'example_xtremio_cluster_name',
}

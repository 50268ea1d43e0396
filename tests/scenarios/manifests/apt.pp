# debian-12 ubuntu-22.04
class { 'apt':
  update_defaults     => { '/etc/example/key' => 'update-default-value' },
  ppa_options         => ['ppa-option-value'],
  backports           => { '/etc/example/key' => '6936' },
  purge               => { '/etc/example/key' => false },
  auth_conf_entries   => [{ 'machine' => 'machine-value', 'login' => 'login-value', 'password' => 's3cr3t' }],
  auth_conf_owner     => 'appuser',
  root                => '/srv/root',
  source_key_defaults => { '/etc/example/key' => 'source-key-default-value' },
}
apt::conf { 'example':
  content => "first line\nsecond line with \"quotes\"\n",
}
apt::pin { 'example':
  ensure     => 'present',
  originator => 'originator-value',
  label      => 'label-value',
}
class { 'apt::backports':
  location => 'location-value',
  release  => 'release-value',
  pin      => 201,
}
apt_key { 'example':
  ensure => 'present',
  fingerprint => 'fingerprint-value',
  long => 'long-value',
  short => 'short-value',
  expired => 'expired-value',
}

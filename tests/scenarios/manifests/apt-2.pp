# redhat-9
apt_key { 'example':
  ensure => 'present',
  fingerprint => 'fingerprint-value',
  long => 'long-value',
  short => 'short-value',
  expired => 'expired-value',
}

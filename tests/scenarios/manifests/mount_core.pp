# debian-12 redhat-9 ubuntu-22.04
mount { 'example':
  ensure => 'present',
  device => 'device-value',
  blockdevice => 'blockdevice-value',
  fstype => 'tcp',
  options => { 'alpha' => 'one', 'beta' => '2' },
}

# debian-12 redhat-9 ubuntu-22.04
class { 'swift': swift_hash_path_suffix => 'suffix' }
swift::ringsync { 'example':
  ring_server => 'ring-server-value',
}
swift::proxy::tempauth_account { 'example': }
swift::storage::ext4 { '10':
  device    => 'device-value',
  byte_size => 5,
}

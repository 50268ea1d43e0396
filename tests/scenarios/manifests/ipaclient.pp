# debian-12 redhat-9 ubuntu-22.04
include ipaclient::automount
include ipaclient::debian_fixes
class { 'ipaclient::sudoers':
  server    => 'server-value',
  automount => 'automount-value',
}

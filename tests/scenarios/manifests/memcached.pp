# debian-12 redhat-9 ubuntu-22.04
class { 'memcached':
  svcprop_fmri => 'memcached:default',
}

# debian-12 redhat-9 ubuntu-22.04
class { 'chrony':
  config_keys_owner => 'appuser',
  log_options       => { 'alpha' => 'one', 'beta' => '2' },
  package_ensure    => 'present',
  refclocks         => ['refclock1', 'refclock2'],
  clientloglimit    => 5,
  service_manage    => false,
}

# debian-12 redhat-9 ubuntu-22.04
class { 'xinetd':
  disabled  => 'disabled-value',
  no_access => ['no_acces1', 'no_acces2'],
  cps       => ['cp1', 'cp2'],
  passenv   => 'passenv-value',
}

# debian-12 redhat-9 ubuntu-22.04
ssh_keygen { 'alice': }
ssh_keygen { 'example':
  user => 'appuser',
  home => '/srv/home',
}

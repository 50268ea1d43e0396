# debian-12 redhat-9 ubuntu-22.04
include posix_acl::requirements
posix_acl { 'example':
  permission => 'permission-value',
  action => 'action-value',
  recursemode => '0640',
  recursive => 'recursive-value',
}

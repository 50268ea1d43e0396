# debian-12 redhat-9 ubuntu-22.04
include sssd::install
include sssd::service

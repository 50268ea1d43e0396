# debian-12 redhat-9 ubuntu-22.04
include ntp
include ntp::config
include ntp::install
include ntp::service

# redhat-9
include filebeat::install::freebsd
include filebeat::install::linux

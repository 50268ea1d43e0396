# redhat-9
include redis::install
include redis::preinstall
include redis::service

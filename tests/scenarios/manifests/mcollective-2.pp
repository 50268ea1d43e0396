# debian-12 redhat-9 ubuntu-22.04
mcollective::server::config::connector::activemq::hosts_iteration { 'example': }
mcollective::server::config::connector::rabbitmq::hosts_iteration { 'example': }
include mcollective::defaults

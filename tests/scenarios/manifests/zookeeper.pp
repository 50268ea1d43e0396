# debian-12 redhat-9 ubuntu-22.04
class { 'zookeeper':
  archive_dl_site    => 'archive-dl-site-value',
  archive_dl_timeout => 300,
  zoo_dir            => '/srv/zoo-dir',
}
include zookeeper::config
include zookeeper::install
include zookeeper::post_install
include zookeeper::sasl
include zookeeper::install::archive
include zookeeper::install::repo

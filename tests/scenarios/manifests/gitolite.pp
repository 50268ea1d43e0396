# debian-12 redhat-9 ubuntu-22.04
class { 'gitolite':
  user                => 'appuser',
  userhome            => '/srv/userhome',
  reporoot            => '/srv/reporoot',
  log_dest            => ['log-dest-value'],
  local_code          => 'local-code-value',
  additional_packages => ['additional-package-value', '-value'],
}
gitolite::repo { 'example':
  options => { '/etc/example/key' => 'option-value' },
  groups  => ['appgroup'],
}
gitolite::repos { 'example': }
gitolite::user { 'example':
  user     => 'appuser',
  comments => ['comment-value'],
}
gitolite::users { 'example': }
include gitolite::admin
include gitolite::client
gitremote { 'example':
  ensure => 'present',
  url => 'http://192.0.2.40:9292/v1',
  fetches => ['fetche1', 'fetche2'],
  remotename => 'example_remotename',
  directory => '/srv/directory',
}

# debian-12 redhat-9 ubuntu-22.04
class { 'postfix':
  amavis_procs   => 3,
  mail_user      => 'appuser',
  service_ensure => 'present',
}
postfix::conffile { 'example':
  ensure  => 'present',
  content => "first line\nsecond line with \"quotes\"\n",
  path    => '/srv/path',
}
postfix::hash { '/srv/example':
  source => ['source-value', '-value'],
  mode   => '0640',
}
postfix::mailalias { 'example':
  recipient => ['recipient-value', '-value'],
}
postfix::map { 'example': }
include postfix::mailman

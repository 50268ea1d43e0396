file { ['/srv', '/srv/www']: ensure => directory }
file { '/srv/www': mode => '0755' }
file { ['/opt', '/opt/a', '/opt']: }
file {
  default: ensure => directory;
  '/var/a': ;
  '/var/b': ;
  '/var/a': mode => '0700';
}
file { '/var/b': }
file { '/opt/': }

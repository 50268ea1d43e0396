package { 'ntp': ensure => installed }
file { '/etc/ntp.conf':
  ensure  => file,
  require => Package['ntp'],
}
package { 'ntp': ensure => latest }
@user { 'ntp': }
user { 'ntp': uid => 38 }
@@sshkey { 'gate': }
sshkey { 'gate': }

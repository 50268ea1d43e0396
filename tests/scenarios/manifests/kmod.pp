# debian-12 redhat-9 ubuntu-22.04
include kmod
kmod::alias { 'example':
  source    => 'source-value',
  aliasname => 'example_aliasname',
}
kmod::blacklist { 'example':
  ensure => 'present',
}
kmod::install { 'example': }
kmod::load { 'example': }
kmod::option { 'example':
  option => 'option-value',
  value  => 'value-value',
  ensure => 'present',
  file   => '/etc/example/file',
}
kmod::setting { 'example':
  file     => '/etc/example/file',
  category => 'category-value',
  option   => 'option-value',
  value    => 'value-value',
}

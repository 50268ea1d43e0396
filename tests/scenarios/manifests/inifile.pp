# debian-12 redhat-9 ubuntu-22.04
ini_setting { 'sample': ensure => present, path => '/tmp/foo.ini', section => 'bar', setting => 'baz', value => 'quux' }
ini_subsetting { 'heap': section => '', key_val_separator => '=', path => '/etc/default/example', setting => 'JAVA_ARGS', subsetting => '-Xmx', value => '512m' }
create_ini_settings({ 'main' => { 'a' => 1, 'b' => { 'ensure' => 'absent' } } }, { 'path' => '/etc/m.ini' })
ini_setting { 'example':
  ensure => 'present',
  value => 'value-value',
  section => 'section-value',
  setting => 'setting-value',
  force_new_section_creation => 'force-new-section-creation-value',
}
ini_subsetting { 'example':
  ensure => 'present',
  value => 'value-value',
  section => 'section-value',
  setting => 'setting-value',
  subsetting => 'subsetting-value',
}

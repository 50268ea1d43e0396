use super::pieces;

pieces! {
    resource_on_one_line: "file{'/a':ensure=>file,mode=>'0644'}";
    resource_with_one_attribute: "package { 'openssh': ensure => present }";
    resource_without_attributes: "class{'ntp':}";
    resource_with_odd_indentation: "
file { '/a':
      ensure => file,
   owner=>'root',
  content  =>    'x'
}";
    resource_with_trailing_semicolon: "user { 'a': uid => '1'; }";
    resource_title_array: "package { ['a','b']: ensure => installed }";
    resource_title_long_array: "
package { ['aaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccccccccccccc', 'dddddddddddddddddddddddd']:
  ensure => installed
}";
    resource_bodies: "
file { default: ensure => file, mode => '0644';
  '/a': content => 'a'; '/b': content => 'b', owner => root;
}";
    resource_bodies_without_attributes: "class { 'a': ; 'b': }";
    resource_title_is_variable: "file{$path :ensure=>absent}";
    resource_unfold: "file { '/a': ensure => file, * => $defaults }";
    resource_append: "Service['a'] { require +> File['b'] }";
    resource_virtual: "@user{'a':uid=>1}";
    resource_exported: "@@sshkey { $facts['fqdn']: type => rsa, key => $key }";
    resource_defaults: "File{owner=>root,group=>root}";
    resource_defaults_empty: "File { }";
    resource_override: "File['/a']{mode=>'0600'}";
    resource_class: "class { 'apache': default_vhost => false, mods => ['a', 'b'] }";
    resources_stand_apart: "
file { '/a': ensure => file }
file { '/b': ensure => file }
include c
file { '/d': ensure => file }";
    resources_without_attributes_may_stand_together: "
class { 'a': }
class { 'b': }";
    attribute_hash: "foo { 'a': options => { 'x' => 1, 'yyyy' => [1, 2] }, b => 1 }";
    attribute_hash_of_one: "foo { 'a': options => { 'x' => 1 } }";
    attribute_array: "service { 'sshd': require => [ Package['openssh-server'], File['/etc/ssh/sshd_config'], ] }";
    attribute_selector: "foo { 'a': ensure => $x ? { true => present, default => absent } }";
    attribute_conditional: "foo { 'a': ensure => if $x { present } else { absent } }";
    attribute_keyword_names: "foo { 'a': if => 1, default => 2, unless => 'x' }";
    attribute_blank_lines: "
foo { 'a':

  a => 1,


  b => 2,

}";
    attribute_stray_commas: "foo { 'a': , a => 1, }";
    collector: "File<|title=='a'|>";
    collector_empty: "Package<||>";
    collector_query: "User <| (groups == 'a' or groups == 'b') and title != 'c' |>";
    collector_exported: "Sshkey <<| tag == 'x' |>>";
    collector_override: "File <| tag == 'x' |> { mode => '0600', owner => root }";
    collector_override_empty: "File <| |> { }";
    chain_of_two: "Package['a']->Service['b']";
    chain_of_three: "Class['a'] -> Class['b'] ~> Class['c']";
    chain_right_to_left: "Service['a'] <- Package['b']";
    chain_arrow_at_line_end: "
Package['a'] ->
Service['b'] ~>
Exec['c']";
    chain_of_resources: "
file { '/a': ensure => file } ->
file { '/b': ensure => file }
~> service { 'c': ensure => running }";
    chain_of_collectors: "Yumrepo<| |> -> Package<| provider != 'rpm' |>";
    chain_of_arrays: "[Package['a'], Package['b']] -> Service['c']";
}

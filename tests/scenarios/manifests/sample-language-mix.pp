# sample
# Site code exercising language features on top of stdlib (lambdas, types, splat, collectors, overrides, EPP)
type Site::Port = Integer[1, 65535]
function site_merge(Hash *$hs) >> Hash { $hs.reduce({}) |$m, $h| { deep_merge($m, $h) } }
define site_file(Optional[String] $content = undef, Stdlib::Filemode $mode = '0644', Hash $extra = {}) {
  file { $title: * => { content => $content, mode => $mode } + $extra }
}
class base($ports = [22]) {
  $ports.each |Integer $p| { notify { "port ${p}": tag => ['net', "p${p}"] } }
  exec { 'reload': command => '/bin/true', refreshonly => true }
  file { '/etc/base.conf': content => "base\n", notify => Exec['reload'] }
}
class web inherits base {
  File['/etc/base.conf'] { content => "web\n", mode => '0600' }
  Exec['reload'] { onlyif +> '/bin/false' }
}
node default {
  class { 'base': ports => [22, 80] }
  include web
  $cfg = site_merge({ 'a' => { 'x' => 1 } }, { 'a' => { 'y' => [1, 2] } }, { 'b' => undef })
  site_file { '/etc/app.json': content => to_json_pretty($cfg), extra => { 'owner' => 'app' } }
  site_file { '/etc/app.yaml': content => to_yaml($cfg) }
  $version = $facts['os']['release']['full']
  if $version =~ /^(\d+)\.(\d+)/ { notify { "major=${1} minor=${2}": } }
  $x = $facts['os']['name'] ? { /(?i:debian|ubuntu)/ => 'apt', 'CentOS' => 'yum', default => fail('?') }
  package { $x: ensure => installed }
  case $facts['memory']['system']['total_bytes'] { Integer[0, 1073741824]: { notify { 'small': } } default: { notify { 'big': } } }
  @user { ['alice', 'bob']: ensure => present, groups => ['ops'], tag => 'staff' }
  @user { 'eve': ensure => absent, tag => 'guest' }
  User <| tag == 'staff' and title != 'bob' |> { shell => '/bin/zsh' }
  realize(User['bob'])
  Notify <| tag == 'net' |> -> File['/etc/base.conf']
  file { '/etc/tpl': content => inline_epp('<%- | $items | -%><% $items.each |$i| { -%>item <%= $i %><%= "\n" %><% } -%>', { 'items' => ['one', 'two'] }) }
  file { '/etc/erb': content => inline_template("<%= @facts['networking']['hostname'] %> <%= scope['x'] %>\n") }
  file { '/etc/secret': content => Sensitive("top\n"), show_diff => false }
  file { default: owner => 'root', group => 'root', mode => '0755';
    ['/srv/a', '/srv/b']: ensure => directory; '/srv/c': ensure => link, target => '/srv/a' }
  notify { 'fmt': message => sprintf('%05d %s', 42, String([1, 'two', { 'k' => 3.5 }], { Array => { format => '%(a' } })) }
  notify { 'ver': message => String(versioncmp('1.10.2', '1.9.9')), loglevel => debug }
  notify { 'b64': message => Binary('hello', '%s'), withpath => true } 
  notify { 'time': message => Timestamp('2024-02-29T12:34:56') }
  $deferred = Deferred('sprintf', ['%s', 'later'])
  notify { 'def': message => $deferred }
  $h = [3, 1, 2].sort.map |$i, $v| { [$v, $i * 10] }.then |$a| { Hash($a) }
  notify { 'hash': message => $h.map |$k, $v| { "${k}=${v}" }.join(',') }
  tag('site')
  ensure_packages(['vim', 'curl'], { 'ensure' => 'latest' })
  create_resources('file', { '/etc/cr1' => { ensure => file }, '/etc/cr2' => { content => 'x' } }, { mode => '0640' })
}

//! Brackets without a partner.

use crate::syntax_errors::broken;

broken! {
    opening_parenthesis_of_parameters_missing: "
class motd
  $owner = 'root',
  Enum['present', 'absent'] $ensure = 'present',
) {
  include base
}
";
    opening_brace_of_a_resource_missing: "
if $x {
  package 'ntp': ensure => installed }
} else {
  package { 'chrony': ensure => installed }
}
";
    opening_bracket_of_a_list_missing: "
file { '/etc/motd':
  require =>
    Package['a'],
    Package['b'],
  ],
  owner   => 'root',
}
";
    opening_bracket_of_a_reference_missing: "
file { '/etc/motd':
  require => Package'a'],
  owner   => 'root',
}
";
    interpolation_with_a_brace_too_many: "
class a (
  String $name_of_it = 'x',
) {
  file { \"/etc/${{name_of_it}/a\":
    owner => 'root',
    group => \"${name_of_it}\",
  }
}
";
    closing_bracket_of_a_key_missing: "
$resources = {
  $files['a']  => { 'policies' => $a },
  $files['b'   => { 'policies' => $b },
}

create_resources('policy', $resources)
";
    opening_quote_missing: "
class a (
  $url   = http://localhost:5000',
  $owner = 'root',
) {
  file { '/etc/motd':
    owner => $owner,
  }
}
";
    class_without_its_closing_brace: "
class ntp {
  package { 'ntp':
    ensure => installed,
  }
";
    resource_without_its_closing_brace: "
class ntp {
  package { 'ntp':
    ensure => installed,

  service { 'ntp':
    ensure => running,
  }
}
";
    if_without_its_closing_brace: "
class ntp {
  if $facts['os']['family'] == 'Debian' {
    $service = 'ntp'

  service { $service:
    ensure => running,
  }
}
";
    else_without_its_closing_brace: "
class ntp {
  if $x {
    $a = 1
  } else {
    $a = 2

  notice($a)
}

class apache {
  include ntp
}
";
    class_without_its_closing_brace_before_another: "
class a {
  include b

class c {
  include d
}
";
    case_without_its_closing_brace: "
class a {
  case $x {
    'a': { include a }
    default: { include b }

  notice('c')
}
";
    lambda_without_its_closing_brace: "
class a {
  $users.each |$user| {
    notice($user)

  notice('done')
}
";
    hash_without_its_closing_brace: "
$x = {
  'a' => 1,
  'b' => 2,
notice($x)
";
    list_without_its_closing_bracket: "
$packages = ['ntp', 'vim'
package { $packages:
  ensure => installed,
}
";
    index_without_its_closing_bracket: "notice($facts['os']['name')\n";
    call_without_its_closing_parenthesis: "
notice(join($x, ',')
include a
";
    parameters_without_their_closing_parenthesis: "
class ntp (
  String $server = 'a',
  Integer $port = 123,
{
  notice($server)
}
";
    selector_without_its_closing_brace: "
$x = $y ? {
  'a'     => 1,
  default => 2,

notice($x)
";
    collector_without_its_end: "File <| title == 'a'\nnotice('a')\n";
    collector_with_the_wrong_end: "File <<| title == 'a' |>\n";
    lambda_without_its_second_bar: "$x.each |$y { notice($y) }\n";
    closing_brace_too_many: "
class a {
  if $x {
    notice('a')
  }
  }
}
";
    closing_parenthesis_too_many: "notice(join($x, ',')))\n";
    closing_bracket_too_many: "$x = [1, 2]]\n";
    wrong_closing_bracket: "$x = [1, 2)\nnotice($x)\n";
    wrong_closing_brace: "notice($x}\n";
    only_an_opening_brace: "{\n";
    only_a_closing_brace: "}\n";
    selector_in_square_brackets: "
class ntp {
  $owner = $facts['kernel'] ? [
    'AIX'   => 'bin',
    default => 'root',
  }
  file { '/etc/ntp.conf':
    owner => $owner,
  }
}
";
    selector_without_its_question_mark: "
class ntp (String $ensure) {
  $enable = $ensure {
    'stopped' => false,
    default   => true,
  }
  service { 'ntp':
    enable => $enable,
  }
}
";
    condition_without_its_closing_bracket: "
class ntp {
  case $facts['os'['family'] {
    'RedHat': {
      include ntp::redhat
    }
    'Debian': {
      service { 'ntp':
        ensure => running,
      }
    }
    default: { }
  }
}
";
    condition_without_its_closing_parenthesis: "
class ntp {
  if supported(metadata($module_name),
    { release => 'major' } {
    package { 'ntp':
      ensure => installed,
    }
    service { 'ntp':
      ensure => running,
    }
  }
}
";
    parameters_of_a_block_in_parentheses: "
class ntp (Array $ports) {
  $all = $ports.map ($port) {
    $text = String($port)
    $text + 1
  }
  notice($all)
}
";
    resource_in_an_if_without_its_closing_brace: "
class ntp {
  package { 'ntp':
    ensure => installed,
  }
  if $x {
    service { 'ntp':
      ensure  => running,
      require => Package['ntp'],
  }
}
";
}

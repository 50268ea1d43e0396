# debian-12 redhat-9 ubuntu-22.04
file_line { 'sudo': path => '/etc/sudoers', line => '%sudo ALL=(ALL) ALL', match => '^%sudo' }
class { 'stdlib': } -> anchor { 'end': }
notify { 'pick': message => pick('', undef, 'default') }
file { '/etc/x.json': content => to_json_pretty({ 'a' => [1, 2.5, true, undef], 'b' => {} }) }
file { '/etc/x.yaml': content => to_yaml({ 'a' => ['yes', 'no', '1', 1], 'b' => { 'c' => "x\ny" } }) }
ensure_packages(['a', 'b'], { ensure => 'latest' })
notify { unique([3, 1, 3, 2]).join(','): message => sort(['b', 'a']) }
notify { 'x': message => [str2bool('yes'), bool2num(true), deep_merge({ 'a' => { 'b' => 1 } }, { 'a' => { 'c' => 2 } }), prefix(['a', 'b'], 'p'), fqdn_rand_string(10), shuffle(['a', 'b', 'c']), seeded_rand(100, 'seed'), base64('encode', 'text'), range('a', 'e'), zip([1, 2], ['x', 'y'], true), dirname('/a/b/c'), validate_email_address('a@b.c'), camelcase('a_b'), type_of(1.5)] }
anchor { 'example': }
file_line { 'example':
  ensure => 'present',
  line => 'line-value',
  match => 'match-value',
  match_for_absence => 'match-for-absence-value',
  multiple => 'multiple-value',
}

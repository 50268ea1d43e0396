$role = 'web'
if $facts['is_virtual'] { $size = 1 } else { $size = 2 }
case $role {
  'web': { $tier = 1 }
  'db': { $tier = 2 }
  default: { $tier = $size }
}
[1, 2].each |$index| {
  $role = "role${index}${tier}"
  notice($role)
  [3].each |$index| { notice($index) }
}
node 'a' { $role = 'db' $architecture = 'none' }
node 'b' { $role = 'mail' }
include web
class web {
  $role = 'other'
  $kernel = 'own'
  with(1) |$title| { notice($title) }
}
function web::name() { $name = 'x' $title = 'y' "${name}${title}" }

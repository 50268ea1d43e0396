$kernel = 'Linux'
$environment = 'production'
$facts = {}
node default {
  $trusted = {}
}
[1].each |$facts| { notice($facts) }
define reserved($trusted = {}) { notice($trusted) }
define web::site {
  $title = 'x'
  $name = 'y'
  notice($title, $name)
}
class web {
  $module_name = 'web'
}

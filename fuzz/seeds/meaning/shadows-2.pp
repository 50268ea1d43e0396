class web {
  $networking = lookup('web::networking')
  [$disks, $memory] = [1, 2]
  notice($networking, $disks, $memory)
}
define web::site {
  $processors = 2
  notice($processors)
}
function web::kind(String $text) {
  $dmi = $text.split('/')
  $dmi[0]
}

$osfamily = 'Debian'
$clientcert_ = 'x'
$site = 'here'
node default { $role = 'web' notice($role, $osfamily, $site, $clientcert_) }
class web(Hash $os = {}, Optional[String] $kernel = undef) {
  $path = '/etc/web'
  $environment = 'test'
  $kernelrelease = '6'
  $hostname = 'localhost'
  [1].each |$memory| { $disks = $memory notice($disks) }
  notice($os, $kernel, $path, $environment, $hostname, $kernelrelease)
}
define web::site($ssh = false) {
  $facts_ = $facts
  $os = $facts['os']
  $memory = String($::memory['system']['total_bytes'])
  $web = { 'os' => 1, 'facts' => 2 }
  notice($ssh, $facts_, $web, $os, $memory)
}

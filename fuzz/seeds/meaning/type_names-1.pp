$t = NoSuchType
$x = 1 =~ Integr
case $facts['os']['family'] {
  RedHat: { include redhat }
  'Debian': { }
  default: { }
}
Fil { owner => 'root' }
Pakage <| |>
Ntp::Server[$facts['a']] -> Notify['done']
notify { 'done': require => Foo[$facts['b']] }
$new = Strng.new(1)
class redhat(Stdlib::Prot $port = 80, Optional[Strin] $name2 = undef) { }
type Stdlib::Port = Integer[0, 65535]
function ntp::f(Array[Srting] $x) >> Ntp::Result { $x }
type Ntp::Servers = Array[Ntp::Host]
type Ntp::Options = Struct[{ port => Stdlib::Port, Optional[mode] => Ntp::Mode }]
define ntp::d(Variant[String, Ntp::Srevers] $servers) {
  $servers.each |Sting $it| { notice($it) }
}

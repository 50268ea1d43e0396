class web(Net::Port $port = 80, Net::Port $other = 81) {
  include stdlib
  include ntp
  ntp::pool { 'a': }
  vcsrepo { '/srv': }
  $x = extlib::f(1)
  host { 'a': }
  web::vhost { 'a': }
}
define web::vhost { ntp::pool { 'a': } }
class stdlib { }
type Net::Port = Integer
class ntp { }
define ntp::pool { }

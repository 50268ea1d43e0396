# sample-ntp
node default {
  class { 'ntp':
    servers   => ['ntp1.example.com', 'ntp2.example.com iburst'],
    restrict  => ['default ignore', '-6 default ignore', '127.0.0.1', '-6 ::1'],
    interfaces => ['127.0.0.1', '192.0.2.10'],
    minpoll   => 4,
    maxpoll   => 10,
    iburst_enable => true,
    statistics => ['loopstats', 'peerstats'],
  }
}

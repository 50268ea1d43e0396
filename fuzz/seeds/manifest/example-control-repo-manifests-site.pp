# The entry point: what every node gets, and which role each one plays.

File {
  owner => 'root',
  group => 'root',
}

node 'time.example.com' {
  include role::time_server
}

node /^web\d+\.example\.com$/ {
  include role::web_server
}

node default {
  include profile::base
}


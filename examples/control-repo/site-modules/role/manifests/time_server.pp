# Tells the time to the others.
class role::time_server {
  include profile::base
}

node default {
  include profile::shop
}

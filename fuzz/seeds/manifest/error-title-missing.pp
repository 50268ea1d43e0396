package {
  ensure => installed,
}


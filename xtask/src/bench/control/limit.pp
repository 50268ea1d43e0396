define sample::limit (
  Integer $value,
) {
  $name_only = split($title, ' ')[-1]
  file { "/etc/sample/limits-${name_only}":
    content => "${name_only}=${value}\n",
    before  => Class['sample::service'],
  }
}

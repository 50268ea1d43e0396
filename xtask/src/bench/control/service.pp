class sample::service (
  Boolean $enable = lookup('sample::enable', Boolean, 'first', true),
) {
  service { 'sample':
    ensure    => $sample::ensure,
    enable    => $enable,
    subscribe => File["${sample::directory}/sample.conf"],
  }
  if $facts['processors']['count'] > 2 {
    notify { 'sample has many processors': }
  } else {
    notify { 'sample has few processors': }
  }
}

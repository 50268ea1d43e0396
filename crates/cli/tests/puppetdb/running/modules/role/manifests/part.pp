define role::part($number, Hash $options = { 'x' => 1 }) {
  notify { "part ${title} ${number}": noop => true, loglevel => debug }
}

class db(Sensitive[String] $password, Sensitive[String[1]] $key = Sensitive('k')) {
  file { '/etc/db.conf':
    content => "password=${password.unwrap}\n",
    mode    => '0600',
  }
  notice("the password is ${password.unwrap}")
  $clear = unwrap($key)
  exec { "import --key ${clear}":
    path        => '/bin',
    environment => ["KEY=${clear}"],
  }
  $password.unwrap |$text| {
    warning("starts with ${text}")
  }
  user { 'db':
    password => sprintf('%s', $password.unwrap),
  }
}

class db(Sensitive[String] $password) {
  file { '/etc/db.conf':
    content => "password=${password}\n",
  }
  notify { $password: }
}

class db(Sensitive[String] $password, Variant[String, Sensitive[String]] $maybe, String $plain, $any) {
  file { '/etc/db.conf':
    content => Sensitive("password=${password.unwrap}\n"),
  }
  file { '/etc/db.key':
    content => $password,
    mode    => "06${plain}",
  }
  notice($password, "with ${password}")
  $text = $maybe ? {
    Sensitive => $maybe.unwrap,
    default   => $maybe,
  }
  db::user { 'root':
    password => $password.unwrap,
  }
  notice(unwrap($any), unwrap($plain), "${maybe}", $text)
  $length = $password.unwrap.length
  if $length > 8 and $password.unwrap =~ /^a/ {
    notice("of ${length}")
  }
  file { '/etc/db.hash':
    content => sha256($password.unwrap),
  }
  $clear = 'nothing'
  $password.unwrap |$clear| { $clear.length }
  notice($clear)
}
define db::user(String $password) {
  notice($password)
}

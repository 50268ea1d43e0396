define sample::account (
  Integer[1000] $uid,
  String        $home,
) {
  user { $title:
    uid        => $uid,
    home       => $home,
    managehome => true,
    shell      => $facts['os']['family'] ? { 'Debian' => '/bin/bash', default => '/bin/sh' },
  }
  -> file { "${home}/.sample":
    content => "${title}:${uid}\n",
    owner   => $title,
  }
}

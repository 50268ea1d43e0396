define sample::site (
  Stdlike::Port         $port,
  Array[String]         $aliases = [],
  Enum[present, absent] $ensure  = present,
) {
  $slug = regsubst($title, '[^a-z0-9]+', '-', 'G')
  file { "/etc/sample/sites.d/${slug}.conf":
    ensure  => $ensure,
    content => epp('sample/site.conf.epp', { 'name' => $slug, 'port' => $port, 'aliases' => $aliases }),
    notify  => Service['sample'],
  }
  sample::fragment { "${slug}-log":
    content => "log /var/log/sample/${slug}.log ${port}\n",
    order   => $port % 100,
  }
  sample::job { "${slug} rotation":
    command => "/usr/sbin/rotate ${slug}",
    minute  => $port % 60,
    require => Sample::Fragment["${slug}-log"],
  }
}

define sample::site (
  Stdlike::Port         $port,
  Array[String]         $aliases = [],
  Enum[present, absent] $ensure  = present,
) {
  $slug = sample::slug($title)
  file { "/etc/sample/sites.d/${slug}.conf":
    ensure  => $ensure,
    content => template('sample/site.conf.erb'),
    notify  => Service['sample'],
  }
  sample::fragment { "${slug}-log":
    content => sample_log($slug, $port),
    order   => $port % 100,
  }
  sample::job { "${slug} rotation":
    command => "/usr/sbin/rotate ${slug}",
    minute  => $port % 60,
    require => Sample::Fragment["${slug}-log"],
  }
}

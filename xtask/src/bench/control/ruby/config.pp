class sample::config {
  $directory = $sample::directory
  $sites = $sample::sites
  $limits = $sample::limits
  File {
    owner => 'root',
    group => 'root',
  }
  file { [$directory, "${directory}/sites.d"]:
    ensure => directory,
    mode   => '0755',
  }
  file { "${directory}/sample.conf":
    content => template('sample/sample.conf.erb'),
  }
  $sample::sites.each |$name, $site| {
    sample::site { "sample ${name}":
      port    => $site['port'],
      aliases => $site['aliases'].map |$it| { "${it}.${facts['networking']['domain']}" },
      *       => $site.filter |$key, $_| { $key == 'ensure' },
    }
  }
  $sample::limits.each |$name, $value| {
    sample::limit { "sample ${name}": value => $value }
  }
}

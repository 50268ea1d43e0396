class sample::config {
  $directory = $sample::directory
  File {
    owner => 'root',
    group => 'root',
  }
  file { [$directory, "${directory}/sites.d"]:
    ensure => directory,
    mode   => '0755',
  }
  file { "${directory}/sample.conf":
    content => epp('sample/sample.conf.epp', {
      'sites'  => $sample::sites,
      'limits' => $sample::limits,
    }),
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

class sample::install {
  $version = $facts['os']['family'] ? {
    'Debian' => '1.2-deb',
    'RedHat' => '1.2.el',
    default  => 'installed',
  }
  $sample::packages.each |Integer $index, String $name| {
    package { "sample-${name}":
      ensure => if $index == 0 { $version } else { 'installed' },
      tag    => ['sample', "order-${index}"],
    }
  }
}

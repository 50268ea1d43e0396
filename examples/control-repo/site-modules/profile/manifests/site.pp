# One web site: its folder, and its configuration.
#
# @param root
#   Where its pages are.
#
# @param aliases
#   Other names under which it is known.
define profile::site (
  String[1]        $root    = "/srv/www/${title}",
  Array[String[1]]     $aliases = [],
) {
  file { $root:
    ensure => directory,
    mode   => '0755',
  }

  $names = [$title] + $aliases

  file { "/etc/nginx/sites-enabled/${title}.conf":
    ensure  => file,
    content => epp('profile/site.conf.epp', { 'names' => $names, 'root' => $root }),
    require => File[$root],
  }
}

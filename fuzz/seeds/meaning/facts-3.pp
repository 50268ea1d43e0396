if $facts['os']['famly'] == 'Debian' {
  notice("on ${facts['networking']['hostnmae']}")
}
$major = $facts['os']['release']['majro']
$minor = $facts['os']['release']['minor']
$other = $facts['os']['nothing_like_that']
$site = $facts['site']['famly']

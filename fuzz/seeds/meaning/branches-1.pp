case $facts['os']['name'] {
  'Debian', 'Ubuntu': { notice(1) }
  'Fedora', 'debian': { notice(2) }
  /^Red/: { notice(3) }
  /^Red/: { notice(4) }
  default: { }
}
$size = $facts['size'] ? {
  1       => 'small',
  2       => 'medium',
  1.0     => 'tiny',
  undef   => 'none',
  undef   => 'nothing',
  Integer => 'large',
  Integer => 'huge',
  true    => 'odd',
  true    => 'odder',
  default => 'any',
}
case [$size, 1] {
  ['small', 1]: { notice(5) }
  ['Small', 1]: { notice(6) }
  default: { }
}

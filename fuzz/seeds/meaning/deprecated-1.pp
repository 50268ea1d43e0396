class web {
  $a = hiera('web::a', 'b')
  $b = hiera_hash('web::b', {})
  hiera_include('classes', [])
  notice(strftime('%Y', 'UTC'))
  notice(abs('-1'), '1.5'.ceiling)
  notice(regsubst('abc', 'b', 'c', 'G', 'U'))
  notice(max('a', 1), empty(3))
  notice($a, $b)
}

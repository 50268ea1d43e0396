$timezone = 'UTC'
[$path, $memory] = ['/bin', 1]
node default {
  $kernel = 'none'
  notice($path, $timezone, $memory, $kernel)
}

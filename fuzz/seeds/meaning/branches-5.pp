case $facts['kernel'] {
  'Linux': { notice(1) }
  Any: { notice(2) }
  'Darwin': { notice(3) }
  default: { }
}
$value = $facts['kernel'] ? { Any => 1, 'x' => 2 }

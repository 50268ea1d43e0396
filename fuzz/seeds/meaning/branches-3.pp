$name_of = 'b'
case $facts['count'] {
  1: { notice(1) }
  '1': { notice(2) }
  /1/: { notice(3) }
  /1$/: { notice(4) }
  'é': { notice(5) }
  'É': { notice(6) }
  $name_of: { notice(7) }
  "${name_of}": { notice(8) }
  Integer[1, 2]: { notice(9) }
  Integer[1, 3]: { notice(10) }
  true: { notice(11) }
  'true': { notice(12) }
  undef: { notice(13) }
  '': { notice(14) }
  default: { }
}
case 1 { 1: { } default: { } }

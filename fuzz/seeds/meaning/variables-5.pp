function web::path(String $name, *$rest) >> String {
  $dir = '/etc'
  [$a, [$b, $c]] = [1, [2, 3]]
  notice($a, $b, $c, $rest, $d)
  "${dir}/${caller}/${name}"
}

class web(Array[String] $names) {
  $suffix = '.conf'
  $files = $names.map |Integer $index, String $name| {
    $file = "${index}-${name}${suffix}"
    "/etc/${file}"
  }
  notice($files, $file)
  $names.each |$it| { notice($it, $index) }
}

plan deploy::web(TargetSpec $nodes, String $version = 'latest') {
  $result = run_task('package', $nodes, name => 'web')
  apply($nodes) {
    file { '/etc/web.conf':
      content => $version,
    }
  }
  return $result
}

plan a() { }
plan a { }
apply($x) { file { 'a': } }
apply($x, a => 1) { 1 }
apply($x) { }
$r = apply($x) { notify { 'a': } }
apply($x) { File <| |> }
function a() { 1 }
type A = Integer


# debian-12 redhat-9 ubuntu-22.04
include wait_for
wait_for { 'example':
  exit_code => 'exit-code-value',
  regex => 'regex-value',
  seconds => ['second1', 'second2'],
  environment => 'environment-value',
  timeout => 300,
}

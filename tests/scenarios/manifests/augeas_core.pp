# debian-12 redhat-9 ubuntu-22.04
augeas { 'example':
  returns => ['return1', 'return2'],
  context => 'context-value',
  onlyif => 'onlyif-value',
  changes => ['change1', 'change2'],
  root => '/srv/root',
}

file { '/tmp/t': source => 'puppet:///modules/foo/none' }
file { '/tmp/u': source => ['puppet:///modules/foo/a', 'puppet:///modules/foo/b'] }
file { '/tmp/v': source => "puppet://server/modules/foo/deep" }
file { '/tmp/w': source => 'puppet:///modules/nomodule/a' }
$a = file('foo/none')
$b = file('foo/none', 'foo/neither')
$c = 'foo/files/there'.file
$d = binary_file('foo/logo.png')

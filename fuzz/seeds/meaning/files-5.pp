file { '/tmp/t': source => ['puppet:///modules/foo/none', 'puppet:///modules/foo/there'] }
file { '/tmp/u': source => "puppet:///modules/foo/${facts['kernel']}" }
file { '/tmp/v': source => 'puppet:///mount/none' }
file { '/tmp/w': source => ['puppet:///modules/foo/none', $facts['other']] }
file { '/tmp/x': source => 'puppet:///modules/foo/folder', recurse => true }
file { '/tmp/y': source => 'https://example.org/none' }
file { '/tmp/z': content => file('foo/none', 'foo/there') }
exec { '/bin/x': creates => 'puppet:///modules/foo/none' }
$a = find_file('foo/none')

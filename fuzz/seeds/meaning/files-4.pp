file { '/tmp/t': source => 'puppet:///modules/foo/a%20b' }
file { '/tmp/u': source => 'puppet:///modules/foo/a b' }
file { '/tmp/v': source => 'puppet:///modules/foo/c%20d' }
file { '/tmp/w': source => 'puppet:///modules/foo/c%2520d' }
file { '/tmp/x': source => 'puppet:///modules/foo/e+f?x' }
file { '/tmp/y': source => 'puppet:///modules/foo/q?r' }
file { '/tmp/z': source => 'puppet:///modules/foo/g#h' }
file { '/tmp/0': source => 'puppet:///modules/foo/e+f#x' }

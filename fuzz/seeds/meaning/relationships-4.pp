file { '/a': }
file { '/b': }
file { '/c': }
File['/a'] -> File['/b'] -> File['/c']
File['/a'] <- [File['/c']]

File { mode => 1 }
File { mode => 1, }
File { }
Foo::Bar { mode => 1 }
File['a'] { mode => 1 }
File['a', 'b'] { mode => 1 }
$x[1] { mode => 1 }
Resource['file'] { mode => 1 }
Resource['file', 'a'] { mode => 1 }
Foo[a] { }
$x { 'a': }
'file' { 'a': }
"file" { 'a': }
File { 'a': mode => 1 }
File['a'] { 'b': mode => 1 }
Class['a'] { x => 1 }


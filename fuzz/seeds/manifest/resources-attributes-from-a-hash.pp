file { 'a': * => $x }
file { 'a': mode => 1, * => $x }
file { default: * => $x; 'a': }
File { * => $x }
File['a'] { * => $x }
File <| |> { * => $x }
File { * => $x, * => $y }


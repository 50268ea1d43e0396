"\q"
"c:\windows"
"\d+\.\d+"
'\q'
$x = @("END"/n)
  \q ${y}
  END



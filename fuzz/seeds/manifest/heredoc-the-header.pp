$x = @(END)
  a $x ${y}
  END

$x = @("THE END")
  a $x ${y}
  THE END

$x = @(  END : json  )
{"a": 1}
END

$x = @("END":c++/n$)
a
END

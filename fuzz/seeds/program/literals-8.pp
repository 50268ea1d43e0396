$x = 'no json'
@("END":json)
  {${x}}
  | END

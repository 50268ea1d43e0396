$x = 'world'
@("END")
  hello ${x}
  | END

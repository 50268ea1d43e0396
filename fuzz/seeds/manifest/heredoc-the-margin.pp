$x = @(END)
    a
      b
  c
    | END



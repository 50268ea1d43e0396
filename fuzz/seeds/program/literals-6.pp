@(END)
  hello ${x}
  | END

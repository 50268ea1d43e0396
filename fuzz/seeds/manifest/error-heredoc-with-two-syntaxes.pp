$text = @(END:json:yaml)
  {}
  END

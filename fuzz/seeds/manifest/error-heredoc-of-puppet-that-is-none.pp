$text = @(END:pp)
  file { 'a' }
  | END


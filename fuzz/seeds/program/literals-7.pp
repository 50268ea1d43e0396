@("END":json)
  {"a": ${[1, 2].length}}
  | END

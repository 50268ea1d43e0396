$x = notify { a: }
$x = Notify[a] -> Notify[b]
$x = @notify { a: }
Notify[a] -> Notify[b] ~> Notify[c]
notify { a: } -> notify { b: }
Notify[a] <- Notify[b] <~ Notify[c]
File <| |> -> Service <| |>

File <| tag = 'a' |>


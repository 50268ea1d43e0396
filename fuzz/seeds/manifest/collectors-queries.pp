File <| |>
File <<| |>>
Foo::Bar <| |>
File <| title == 'a' |>
File <| title != 'a' |>
File <| title == a |>
File <| title == 1 |>
File <| title == true |>
File <| title == $x |>
File <| title == 'a' and mode == 1 |>
File <| title == 'a' or mode == 1 and x == 2 |>
File <| (title == 'a' or mode == 1) and x == 2 |>
File <| tag == "a${b}" |>
File <<| tag == 'a' |>>
File <| title |>
File <| 'a' |>
File <| title == 'a' |> { mode => 1 }
File <| |> { mode => 1, owner +> 2 }
File <<| |>> { mode => 1 }
File <| title == 1 + 2 |>
File <| title == [1] |>
File <| title == undef |>
f(File <| |>)


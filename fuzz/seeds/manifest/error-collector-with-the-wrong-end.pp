File <<| title == 'a' |>


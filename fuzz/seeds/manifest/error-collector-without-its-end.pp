File <| title == 'a'
notice('a')


$x = @("END")
    one ${08}
    | END

$x = @("END")
    one
    two ${1 +}
    | END

$x = @("END")
    one ${X::y}
    END


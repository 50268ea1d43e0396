$x = @("END"/$)
a \$y
END
$x = @("END")
a \$y
END
$x = @("END"/n)
a \${y}
END

$x = @(END)
a END

$x = @(END)
a ENDS
END

$x = @(END)
aEND
END



$x = @(END)
a
- END
$x = @(END)
a  

- END
$x = @(END)
a
- END
$x = @(END)
a
END

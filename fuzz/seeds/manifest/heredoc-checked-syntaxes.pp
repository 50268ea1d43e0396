$x = @(END:json)
{"a": 1}
END
$x = @(END:pp)
$y = 1
END
$x = @(END:base64)
aGVsbG8=
-END
$x = @(END:epp)
a <%= 1 %>
END
$x = @(END:yaml)
{ [
END
$x = @(END:json+data)
{
END
$x = @("END":json)
{ ${x}
END


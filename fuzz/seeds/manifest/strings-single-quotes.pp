'plain'
''
'it\'s'
'a\\b'
'a\nb'
'$x ${y}'
'a
b'
'a\
b'
'c:\temp'

foo
foo::bar
::foo
foo_1
_x
a-b
foo-bar::baz
a--b
fooBar


/r/ in Foo["a"] -> # lint:ignore:a
f("aaaaaaaaaaaaaaa")

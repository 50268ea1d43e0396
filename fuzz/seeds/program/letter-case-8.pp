camelcase('hello world_foo')

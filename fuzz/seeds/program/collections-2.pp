flatten(default, [Sensitive([1])])

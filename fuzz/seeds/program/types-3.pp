Tuple[Integer, String]([1, 'a'])

type A = Integer
type A = Integer[1, 2]
type A::B = Variant[A, B]
type A = {a => Integer}
type Runtime[ruby, 'A::B'] = C::D
type Runtime[ruby, [/^A/, 'B']] = [/^B/, 'C']

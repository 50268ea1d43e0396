type A = [Integer, String]


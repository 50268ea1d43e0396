keys({1 => a, 1.5 => b, undef => c, [1] => d, {a => 1} => e, default => f, String => g})

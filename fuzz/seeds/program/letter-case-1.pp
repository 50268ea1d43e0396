upcase(['a', ['b', {c => d}]])

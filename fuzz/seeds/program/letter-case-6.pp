capitalize(['ab', 'c'].reverse_each)

sprintf('%<x>s : %<y>d', { 'x' => 'value is', 'y' => 42 })

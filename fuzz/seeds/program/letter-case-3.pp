downcase(['A', {'B' => 'C'}])

$d = default; 1 ? { $d => 'computed', default => 'd' }

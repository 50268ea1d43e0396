undef ? { undef => 'u', default => 'd' }

x { 't': class => 1, if => 2, type => 3, node => 4, default => 5, undef => 6, attr => 7 }

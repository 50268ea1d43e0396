if false { 1 } elsif true { 2 } else { 3 }

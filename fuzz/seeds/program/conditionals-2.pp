if false { 1 } elsif false { 2 } else { 3 }

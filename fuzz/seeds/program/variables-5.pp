'abc' =~ /(b)/; if 'xyz' =~ /(q)/ { } else { $1 }

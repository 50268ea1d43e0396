if 'abc' =~ /(b)/ { inline_epp('<% if "xyz" =~ /(y)/ { %><%= $1 %><% } %>') ; $1 }

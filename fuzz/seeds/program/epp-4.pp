inline_epp('<%= undef %>|<%= [1, undef] %>|<%= {a => 1} %>|<%= default %>|<%= true %>')

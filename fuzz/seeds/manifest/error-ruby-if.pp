if $x then
  notice('a')
end


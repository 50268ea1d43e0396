if $name =~ /web {
  notice('a')
}


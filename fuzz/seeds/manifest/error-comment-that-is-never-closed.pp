class a {
  /* why this is here
  notice('a')
}

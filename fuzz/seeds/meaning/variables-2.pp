class web {
  notice($user)
  $user = 'www-data'
  notice($user)
}

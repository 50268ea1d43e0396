class a {
  $users.each |$user| {
    notice($user)

  notice('done')
}

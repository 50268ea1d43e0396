class sample::users {
  $accounts = lookup('sample::accounts', Hash, 'hash', {})
  $accounts.each |$name, $account| {
    @sample::account { "sample-${name}":
      uid  => $account['uid'],
      home => $account['home'],
    }
  }
  Sample::Account <| tag == 'sample' |>
}

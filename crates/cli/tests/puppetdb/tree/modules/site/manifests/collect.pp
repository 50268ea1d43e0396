class site::collect {
  tag 'collecting'
  Notify { withpath => true }
  Site::Host <<| tag == 'WEB' and port != 81 |>> { opts => ['x'] }
  Notify <<| title == 'n1' or message == 'own' |>>
  @@notify { 'mine': message => 'own' }
  @@notify { 'not collected': message => 'x' }
  notify { 'last': message => "${puppetdb_query('resources[certname, title] { exported = true and type = "Site::Host" order by title }')}" }
  Notify <<| tag == 'none' |>> -> Notify['last']
  Site::Host <<| title == 'h3' |>> -> Notify['last']
}

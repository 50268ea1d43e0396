# debian-12 redhat-9 ubuntu-22.04
class { 'openssl':
  package_ensure         => 'present',
  ca_certificates_ensure => 'present',
}
openssl::certificate::x509 { 'example':
  country      => 'country-value',
  organization => 'organization-value',
  commonname   => 'example_commonname',
}
openssl::export::pkcs12 { 'example':
  basedir => '/srv/basedir',
  pkey    => '/etc/example/pkey',
  cert    => '/etc/example/cert',
  ensure  => 'present',
}
ssl_pkey { 'example':
  ensure => 'present',
  authentication => 'authentication-value',
  size => 300,
  password => 's3cr3t',
}
x509_cert { 'example':
  ensure => 'present',
  private_key => '/etc/example/private-key',
  days => 1,
  force => 'force-value',
  password => 's3cr3t',
}
x509_request { 'example':
  ensure => 'present',
  force => 'force-value',
  password => 's3cr3t',
  template => 'template-value',
  private_key => '/etc/example/private-key',
}

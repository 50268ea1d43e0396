# sample
# Web front end: several vhosts, TLS, proxying, rewrites
node 'node1.example.com' {
  class { 'apache':
    default_vhost     => false,
    mpm_module        => 'event',
    server_tokens     => 'Prod',
    server_signature  => 'Off',
    trace_enable      => 'Off',
    keepalive         => 'On',
    log_formats       => { 'vhost_timed' => '%v:%p %h %l %u %t \"%r\" %>s %b %D' },
  }
  include apache::mod::rewrite
  include apache::mod::headers
  include apache::mod::proxy
  include apache::mod::proxy_http
  include apache::mod::status
  class { 'apache::mod::ssl': ssl_protocol => ['all', '-SSLv3', '-TLSv1', '-TLSv1.1'] }

  apache::vhost { 'www.example.com-http':
    servername    => 'www.example.com',
    serveraliases => ['example.com', 'example.org'],
    port          => 80,
    docroot       => '/srv/www/example',
    rewrites      => [
      { comment => 'force https', rewrite_cond => ['%{HTTPS} off'], rewrite_rule => ['(.*) https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]'] },
    ],
  }
  apache::vhost { 'www.example.com-https':
    servername      => 'www.example.com',
    port            => 443,
    docroot         => '/srv/www/example',
    docroot_owner   => 'www-data',
    docroot_group   => 'www-data',
    ssl             => true,
    ssl_cert        => '/etc/ssl/certs/example.pem',
    ssl_key         => '/etc/ssl/private/example.key',
    access_log_format => 'vhost_timed',
    headers         => ['always set Strict-Transport-Security "max-age=63072000"'],
    directories     => [
      { path => '/srv/www/example', options => ['-Indexes', '+FollowSymLinks'], allow_override => ['None'], require => 'all granted' },
      { path => '/private', provider => 'location', auth_type => 'Basic', auth_name => 'members', auth_user_file => '/etc/htpasswd', require => 'valid-user' },
    ],
    proxy_pass      => [ { 'path' => '/api', 'url' => 'http://127.0.0.1:8080/api', 'params' => { 'retry' => 0, 'timeout' => 5 } } ],
    setenvif        => ['X-Forwarded-Proto https HTTPS=on'],
  }
  $sites = ['alpha', 'beta', 'gamma']
  $sites.each |Integer $i, String $s| {
    apache::vhost { "${s}.example.net":
      port    => 8000 + $i,
      docroot => "/srv/www/${s}",
      custom_fragment => @("EOT"),
        # site ${s}
        Header set X-Site "${s}"
        | EOT
    }
  }
  apache::balancer { 'app': proxy_set => { 'stickysession' => 'JSESSIONID' } }
  ['10.0.0.1', '10.0.0.2'].each |$ip| {
    apache::balancermember { "app-${ip}":
      balancer_cluster => 'app',
      url              => "http://${ip}:8080",
      options          => ['ping=5', 'disablereuse=on'],
    }
  }
}

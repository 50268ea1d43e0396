# sample
node default {
  class { 'haproxy':
    global_options   => { 'log' => ["${facts['networking']['ip']} local0", "${facts['networking']['ip']} local1 notice"], 'chroot' => '/var/lib/haproxy', 'maxconn' => '4000', 'user' => 'haproxy', 'group' => 'haproxy', 'daemon' => '' },
    defaults_options => { 'log' => 'global', 'stats' => 'enable', 'option' => ['redispatch'], 'retries' => '3', 'timeout' => ['http-request 10s', 'queue 1m', 'connect 10s', 'client 1m', 'server 1m'], 'maxconn' => '8000' },
  }
  haproxy::listen { 'puppet00':
    collect_exported => false,
    ipaddress        => '192.0.2.10',
    ports            => '8140',
    mode             => 'tcp',
    options          => { 'option' => ['tcplog', 'ssl-hello-chk'], 'balance' => 'roundrobin' },
  }
  range(1, 4).each |$n| {
    haproxy::balancermember { "puppet-${n}":
      listening_service => 'puppet00',
      server_names      => "puppet${n}.example.com",
      ipaddresses       => "10.0.0.${n}",
      ports             => '8140',
      options           => $n ? { 1 => 'check', default => ['check', 'backup'] },
    }
  }
  haproxy::frontend { 'www':
    bind    => { '192.0.2.10:443' => ['ssl', 'crt', '/etc/haproxy/site.pem'], '192.0.2.10:80' => [] },
    mode    => 'http',
    options => [ { 'acl' => 'is_api path_beg /api' }, { 'use_backend' => 'api if is_api' }, { 'default_backend' => 'web' } ],
  }
  haproxy::backend { 'api': collect_exported => false, options => { 'option' => ['httpchk GET /health'], 'balance' => 'leastconn' } }
  haproxy::backend { 'web': collect_exported => false, mode => 'http', options => { 'cookie' => 'SRV insert' } }
  haproxy::balancermember { 'web-all': listening_service => 'web', ports => '80', server_names => ['web1', 'web2', 'web3'], ipaddresses => ['10.1.0.1', '10.1.0.2', '10.1.0.3'], options => 'check', define_cookies => true }
  haproxy::userlist { 'users': users => ['u1 insecure-password pw1', 'u2 password $6$abc'], groups => ['g1 users u1,u2'] }
  haproxy::peers { 'cluster': collect_exported => false }
  haproxy::peer { 'p1': peers_name => 'cluster', server_names => 'lb1', ipaddresses => '10.2.0.1', port => '1024' }
  haproxy::mapfile { 'domains': ensure => 'present', mappings => [ { 'app01.example.com' => 'bk_app01' }, 'app04.example.com bk_app04' ] }
  haproxy::resolver { 'dns': nameservers => { 'dns1' => '192.0.2.53:53' }, hold => { 'other' => '30s' }, resolve_retries => 3, timeout => { 'retry' => '1s' }, collect_exported => false }
}

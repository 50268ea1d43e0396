# debian-12 redhat-9 ubuntu-22.04
class { 'horizon': secret_key => 's3cr3t', allowed_hosts => ['www.example.com'] }

with($facts) |$f| { $f['fqdn'] }

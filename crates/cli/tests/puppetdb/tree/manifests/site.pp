include site::collect
@@site::host { 'own': address => '10.0.0.1', tag => ['web'] }

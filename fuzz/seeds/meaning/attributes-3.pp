file { '/tmp/x': ensur => present }
Puppet::Resource::ResourceType3.new('file', [], [], {}, true, false)

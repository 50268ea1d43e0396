# Several attributes that name a resource.
Puppet::Type.newtype(:titles) do
  newparam(:host) { isnamevar }
  newparam(:port, namevar: true)

  def self.title_patterns
    identity = ->(value) { value }
    [
      [%r{\A(.*):(\d+)\Z}m, [[:host, identity], [:port, ->(x) { x.to_i }]]],
      [/(.*)/m, [[:host]]]
    ]
  end
end

Puppet::Type.newtype(:no_titles) do
  newparam(:name)
  newparam(:port) { isnamevar }
end

Puppet::Type.newtype(:nameless) do
  newproperty(:name_of_it) { isnamevar }
end

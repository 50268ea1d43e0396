# What is added to a type that is declared elsewhere.
Puppet::Type.newtype(:additions) do
  newparam(:name)
end

Puppet::Type.type(:notify).newparam(:example_color) do
  newvalues(:red, :green)
end

Puppet::Type.type(:notify).class_eval do
  newproperty(:example_size)
end

Puppet::Type.type(:notify).provide(:example)

# With the module in front, and old hashes.
Puppet::Parser::Functions.newfunction(:example_statement, :doc => 'Does ' \
  'something.', :arity => 2) { |args| args }
Puppet::Parser::Functions::newfunction('example_second', :type => :statement) do |args|
end

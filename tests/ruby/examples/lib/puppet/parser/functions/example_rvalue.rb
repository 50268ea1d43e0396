# Of a module's body.
module Puppet::Parser::Functions
  newfunction(:example_rvalue, type: :rvalue, arity: -3, doc: <<-DOC
    Gives something.
    DOC
  ) do |args|
    args
  end
end

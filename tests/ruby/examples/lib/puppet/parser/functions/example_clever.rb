# incomplete: an arity that has to be run to be known.
module Puppet
  module Parser
    module Functions
      newfunction(:example_clever, type: :rvalue, arity: [1, 2].max) { |args| args }
    end
  end
end

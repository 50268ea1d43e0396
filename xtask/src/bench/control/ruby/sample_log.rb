# The line that sets the log of a site.
module Puppet::Parser::Functions
  newfunction(:sample_log, type: :rvalue, arity: 2) do |arguments|
    name, port = arguments
    raise Puppet::ParseError, 'sample_log(): the name must be a String' unless name.is_a?(String)

    "log /var/log/sample/#{name}.log #{port}\n"
  end
end

# incomplete: a signature that depends on the machine.
Puppet::Functions.create_function(:'examples::conditional') do
  dispatch :one do
    param 'String', :name
  end

  if RUBY_VERSION > '1'
    dispatch :two do
      param 'Integer', :name
    end
  end
end

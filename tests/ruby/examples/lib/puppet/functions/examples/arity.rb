# No signature: the method with the function's name has it.
Puppet::Functions.create_function(:'examples::arity', Puppet::Functions::InternalFunction) do
  def arity(first, second = nil, *others)
    helper(first)
  end

  def helper(_); end
end

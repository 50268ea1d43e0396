# incomplete: a type that has to be run to be known.
Puppet::Functions.create_function(:'examples::clever') do
  dispatch :clever do
    param "Enum[#{[:a, :b].map(&:to_s).join(',')}]", :name
  end

  def clever(name); end
end

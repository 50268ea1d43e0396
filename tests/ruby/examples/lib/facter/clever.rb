# incomplete: names that have to be run to be known.
Dir['/nowhere/*'].each do |path|
  Facter.add("example_#{path}") { setcode { path } }
end
def example_fact(name)
  Facter.add(name) { setcode { name } }
end
example_fact(:example_by_method)

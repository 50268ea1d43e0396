# Values that have to be run to be known; the attributes are known.
module PuppetX
  def self.example_words
    %w[a b]
  end

  class ExampleParent < Puppet::Property
    validate { |value| value }
  end
end

Puppet::Type.newtype(:clever_values) do
  newparam(:name)
  newproperty(:computed) { newvalues(*PuppetX.example_words) }
  newproperty(:conditional) do
    newvalue(:always)
    newvalue(:sometimes) if RUBY_VERSION > '1'
  end
  newproperty(:looping) { PuppetX.example_words.each { |word| newvalue(word) } }
  newproperty(:inheriting, parent: PuppetX::ExampleParent) { newvalues(:a) }
  newproperty(:own_word) do
    def self.word(name)
      newvalue(name)
    end
    word :a
  end
  newproperty(:interpolating) { newvalues(/^#{PuppetX.example_words.join('|')}$/) }
end

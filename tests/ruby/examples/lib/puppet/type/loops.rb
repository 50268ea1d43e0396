# Attributes of constants and in loops over what is written out.
require 'puppet/parameter/boolean'

module Puppet
  NAMES = %w[alpha beta].freeze
  VALUES = %i[on off] + [:auto]

  Type.newtype(:loops) do
    @doc = 'One ' + "two #{NAMES.size}"
    newparam(:name)
    NAMES.each do |name|
      newproperty(name.to_sym) do
        desc "The #{name}."
        newvalues(*VALUES)
      end
    end
    { gamma: 'the third', delta: 'the fourth' }.each do |name, doc|
      newparam(name) { desc "Is #{doc}." }
    end
    [[:pair, :all], [:single, :first]].each { |name, matching| newproperty(name, array_matching: matching) }
    prefix = 'my_'
    newparam(:"#{prefix}last")
    ensurable
  end
end

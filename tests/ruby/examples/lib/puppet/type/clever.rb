# incomplete: what has to be run to be known.
module PuppetX
  module Clever
    def self.names
      %w[a b]
    end

    def self.included(type)
      type.newparam(:included)
    end

    def self.extended(type)
      type.newparam(:extended)
    end
  end
end

Puppet::Type.newtype(:computed_names) do
  newparam(:name)
  PuppetX::Clever.names.each { |name| newparam(name) }
end

Puppet::Type.newtype(:own_words) do
  def self.newthing(name)
    newparam(name)
  end
  newparam(:name)
  newthing(:thing)
end

Puppet::Type.newtype(:conditional) do
  newparam(:name)
  newparam(:here) if RUBY_VERSION > '1'
end

Puppet::Type.newtype(:including) do
  include PuppetX::Clever
  newparam(:name)
end

Puppet::Type.newtype(:extending) do
  extend PuppetX::Clever
  newparam(:name)
end

Puppet::Type.newtype(:sending) do
  newparam(:name)
  send(:newparam, :sent)
end

Puppet::Type.newtype(:changing) do
  newparam(:name)
  list = [:one]
  list << :two
  list.push(:three)
  list.each { |it| newparam(it) }
end

Puppet::Type.newtype("computed_#{PuppetX::Clever.names.first}") do
  newparam(:name)
end

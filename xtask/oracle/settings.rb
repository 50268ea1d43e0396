# frozen_string_literal: true

# Records the settings of the reference with the values that `$settings::NAME` has for root on an untouched machine: writes
# crates/host/src/settings.json. What depends on the machine is left out of the values (`certname` and the like
# are those of the node that is evaluated).
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/settings.rb

$LOAD_PATH.unshift(ENV['PUPPET_LIB']) if ENV['PUPPET_LIB']

require 'json'
require 'puppet'

CERTNAME = 'certname.of.the.node'

Puppet.initialize_settings(
  %w[--confdir=/etc/puppetlabs/puppet --codedir=/etc/puppetlabs/code --vardir=/opt/puppetlabs/puppet/cache
     --publicdir=/opt/puppetlabs/puppet/public --rundir=/var/run/puppetlabs --logdir=/var/log/puppetlabs/puppet
     --certname=certname.of.the.node --path=none]
)
environment = Puppet::Node::Environment.create(:production, ['/etc/puppetlabs/code/environments/production/modules'])
node = Puppet::Node.new(CERTNAME, environment: environment)
compiler = Puppet::Parser::Compiler.new(node)
compiler.send(:create_settings_scope)
all = compiler.qualified_variables['settings::all_local']
# Without a number for it, JSON has what a lifetime without end is as a word.
all.transform_values! { |value| value == Float::INFINITY ? 'Infinity' : value }
all.each_value { |value| raise "no data: #{value.inspect}" unless Puppet::Pops::Types::TypeFactory.data.instance?(value) }
File.write(File.expand_path('../../crates/host/src/settings.json', __dir__), "#{JSON.pretty_generate(all)}\n")

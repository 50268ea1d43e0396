# frozen_string_literal: true

# Measures how long the reference takes for the catalog of a node: `cargo xtask bench catalog` runs this.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/catalog_speed.rb REPOSITORY FACTS CATALOG RUNS
# Compiles the catalog once, writes it as agents get it, and compiles it some more times in the same environment. Prints a
# JSON object: the number of resources, and the seconds of each further run.

require_relative 'reference'
require 'yaml'
require 'puppet/parser/compiler'

repository, facts_path, catalog_path, runs = ARGV
values = YAML.safe_load(File.read(facts_path))
name = values.fetch('networking').fetch('fqdn')

Reference.session do
  environment = Puppet::Node::Environment.create(:production, [File.join(repository, 'modules')], File.join(repository, 'manifests'))
  # An environment of a folder has data.
  environments = Puppet::Environments::StaticDirectory.new(:production, repository, environment)
  compile = lambda do
    facts = Puppet::Node::Facts.new(name, values.dup)
    node = Puppet::Node.new(name, environment: environment, facts: facts)
    node.merge(facts.values)
    node.add_server_facts({})
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {}, 'external' => {},
                          'hostname' => name.split('.')[0], 'domain' => name.split('.', 2)[1] }
    Puppet.override(current_environment: environment, environments: environments, rich_data: true,
                    trusted_information: nil) { Puppet::Parser::Compiler.compile(node) }
  end
  first = compile.call
  data = Puppet.override(rich_data: true) { first.filter(&:virtual?).to_data_hash }
  File.write(catalog_path, JSON.pretty_generate(data))
  seconds = Array.new(Integer(runs)) do
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    compile.call
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end
  puts JSON.dump({ resources: data['resources'].size, seconds: seconds })
end

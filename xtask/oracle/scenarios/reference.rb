# frozen_string_literal: true

# The reference as a library that compiles site manifests with modules of the corpus, in one process.
$LOAD_PATH.unshift(ENV['PUPPET_LIB']) if ENV['PUPPET_LIB']
require 'fileutils'
require 'json'
require 'tmpdir'
require 'yaml'
require 'puppet'
require 'puppet/parser/compiler'

REPOSITORY = File.expand_path('../../..', __dir__)
CORPUS = ENV['CORPUS'] || File.join(REPOSITORY, 'corpus')
SCENARIOS = File.join(REPOSITORY, 'tests/scenarios')
SCRATCH = Dir.mktmpdir('scenarios')
OWNER = Process.pid
at_exit { FileUtils.rm_rf(SCRATCH) if Process.pid == OWNER }

# Where modules of the corpus say what their names are; those without metadata have it in the folder's name.
def module_name(folder)
  metadata = File.join(folder, 'metadata.json')
  name = JSON.parse(File.read(metadata))['name'] if File.file?(metadata)
  (name || File.basename(folder)).split(%r{[-/]}, 2).last.tr('-', '_')
end

# A module path of links, since Debian's folders have the names of authors, too.
def module_path
  path = File.join(SCRATCH, 'modules')
  FileUtils.mkdir_p(path)
  Dir[File.join(CORPUS, 'tree/usr/share/puppet/modules.available/*')].sort.each { |folder| FileUtils.ln_s(folder, File.join(path, module_name(folder))) if File.directory?(folder) }
  path
end

MODULES = module_path
%w[conf var code].each { |it| FileUtils.mkdir_p(File.join(SCRATCH, it)) }
File.write(File.join(SCRATCH, 'conf', 'hiera.yaml'), "---\nversion: 5\nhierarchy: []\n")
Puppet.initialize_settings(['--confdir', "#{SCRATCH}/conf", '--vardir', "#{SCRATCH}/var", '--codedir', "#{SCRATCH}/code", '--certname', 'puppet.example.com', '--rich_data',
                            '--hiera_config', "#{SCRATCH}/conf/hiera.yaml", '--strict=warning', '--no-strict_variables'])
Puppet::Util::Log.level = :crit

SERVER = { 'serverversion' => '8.11.0', 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1' }.freeze

def facts_of(name) = YAML.safe_load(File.read(File.join(SCENARIOS, 'facts', "#{name}.yaml")))

def node_for(values, environment)
  name = values['fqdn']
  facts = Puppet::Node::Facts.new(name, values.dup)
  facts.sanitize
  node = Puppet::Node.new(name, environment: environment, facts: facts)
  node.merge(facts.values)
  node.add_server_facts(SERVER)
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {}, 'external' => {}, 'hostname' => name.split('.')[0], 'domain' => name.split('.', 2)[1].to_s }
  node
end

def compile(values, environment)
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment), rich_data: true, trusted_information: nil) do
    Puppet::Parser::Compiler.compile(node_for(values, environment))
  end
end

# The catalog as the agent gets it.
def wire(catalog) = Puppet.override(rich_data: true) { JSON.parse(JSON.generate(catalog.filter(&:virtual?).to_data_hash)) }

# An environment that keeps the modules' code while main manifests come and go.
class KeptEnvironment
  attr_reader :environment

  def initialize(facts)
    @facts = facts
    manifest = File.join(SCRATCH, 'empty.pp')
    File.write(manifest, '')
    @environment = Puppet::Node::Environment.create(:production, [MODULES], manifest)
  end

  # With a scope, without which the types of parameters would not be known.
  def inside
    compiler = Puppet::Parser::Compiler.new(node_for(@facts, @environment))
    context = { environments: Puppet::Environments::Static.new(@environment) }.merge(compiler.context_overrides)
    Puppet.override(context) { yield @environment }
  end

  def compile(code, values)
    inside do
      types = @environment.known_resource_types
      types.instance_variable_get(:@hostclasses).delete('')
      parsed = Puppet::Parser::ParserFactory.parser
      parsed.string = code
      types.import_ast(parsed.parse, '')
    end
    Object.send(:compile, values, @environment)
  end
end

# frozen_string_literal: true

# Asks the reference which functions Ruby files declare, with their signatures.
#
# Usage: ruby functions.rb FOLDER < PATHS     (one path a line, relative to FOLDER)
#        ruby functions.rb core                the functions of the 3.x API that the reference itself has, as JSON
#
# Writes one line of tab-separated columns for each path: path, JSON array of functions, or `-` and why the reference
# does not load it. The form of functions is that of crates/ruby/src/function/model.rs. Documentation is left out.

require_relative 'reference'

# What is declared while a file is loaded.
module Declared
  class << self
    attr_accessor :dispatches, :local_types, :functions
  end
  self.functions = []

  # Signatures, with the types as the source has them.
  module Dispatches
    def dispatch(method, mismatch, &block)
      @block_given = nil
      super
      described = { method: method.to_s, parameters: parameters }
      described[:block] = @block_given if @block_given
      described[:return_type] = @return_type if @return_type
      described[:mismatch] = true if mismatch
      injected = @injections.map { |it| INJECTIONS.fetch(it) }
      described[:injected] = injected unless injected.empty?
      Declared.dispatches << described
    end

    INJECTIONS = { scope: :scope, pal_script_compiler: :script_compiler, cache: :cache,
                   pal_catalog_compiler: :catalog_compiler, pal_compiler: :compiler }.freeze

    def block_param(*arguments)
      given(arguments)
      super
    end

    def required_block_param(*arguments)
      given(arguments)
      super
    end

    def optional_block_param(*arguments)
      super
      @block_given[:optional] = true
    end

    private

    def given(arguments)
      @block_given = { name: (arguments.last || :block).to_s, type: arguments.size == 2 ? arguments.first : 'Callable' }
    end

    def parameters
      @names.each_with_index.map do |name, index|
        last = @max == :default && index == @names.size - 1
        required = index < @min
        count = { [false, true] => :required, [false, false] => :optional, [true, false] => :repeated,
                  [true, true] => :required_repeated }.fetch([last, required])
        { name: name.to_s, type: @types[index], count: count }
      end
    end
  end

  # Local aliases, as the source has them.
  module LocalTypes
    def type(text)
      Declared.local_types << text
      super
    end
  end

  # Functions of the 3.x API.
  module Legacy
    def newfunction(name, options = {}, &block)
      described = super
      Declared.functions << { name: name.to_s, kind: described[:type], arity: described[:arity] }
      described
    end
  end

  Puppet::Functions::DispatcherBuilder.prepend(Dispatches)
  Puppet::Functions::LocalTypeAliasesBuilder.prepend(LocalTypes)
  Puppet::Parser::Functions.singleton_class.prepend(Legacy)

  module_function

  # The function that a file of the 4.x API declares.
  def function(path)
    self.dispatches = []
    self.local_types = []
    name = path[%r{lib/puppet/functions/(.*)\.rb\z}, 1].gsub('/', '::')
    loader = Puppet.lookup(:loaders).private_environment_loader
    typed_name = Puppet::Pops::Loader::TypedName.new(:function, name)
    function = Puppet::Pops::Loader::RubyFunctionInstantiator.create(loader, typed_name, path, File.read(path))
    dispatches << default(function) if dispatches.empty?
    described = { name: name, dispatches: dispatches }
    described[:local_types] = local_types unless local_types.empty?
    [described]
  end

  # The signature of a function that declares none: that of the method with its name.
  def default(function)
    method = function.class.instance_method(function.class.name.split('::').last)
    counts = { req: :required, opt: :optional, rest: :repeated }
    parameters = method.parameters.map { |kind, name| { name: name.to_s, type: 'Any', count: counts.fetch(kind) } }
    { method: method.name.to_s, parameters: parameters.sort_by.with_index { |it, i| [it[:count] == :required ? 0 : 1, i] } }
  end

  # The functions that a file of the 3.x API declares.
  def legacy(path)
    self.functions = []
    Kernel.load(path)
    functions
  end
end

def lines(list)
  "[\n#{list.map { |it| JSON.generate(it) }.join(",\n")}\n]"
end

# A gem that only the function `scanf` wants, when it is called.
$LOADED_FEATURES << 'scanf.rb'

def core
  lib = $LOAD_PATH.find { |folder| File.exist?(File.join(folder, 'puppet/parser/functions/fail.rb')) }
  functions = Dir[File.join(lib, 'puppet/parser/functions/*.rb')].sort.flat_map { |path| Declared.legacy(path) }
  puts %({"version":#{Reference.version.to_json},\n"functions":#{lines(functions)}})
end

def corpus(folder)
  paths = $stdin.readlines(chomp: true)
  paths.map { |path| path[%r{\A.*?/lib(?=/)}] }.uniq.each { |lib| $LOAD_PATH.push(File.join(folder, lib)) }
  paths.each do |path|
    file = File.join(folder, path)
    answer = begin
      JSON.generate(path.include?('/parser/functions/') ? Declared.legacy(file) : Declared.function(file))
    rescue Interrupt, SystemExit
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- LoadError and SyntaxError among them
      "-\t#{e.class}: #{e.message.lines.first.to_s.chomp.gsub(folder, '')}"
    end
    puts "#{path}\t#{answer}"
  end
end

Reference.session do
  ARGV.fetch(0) == 'core' ? core : corpus(File.expand_path(ARGV.fetch(0)))
end

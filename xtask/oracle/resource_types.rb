# frozen_string_literal: true

# Asks the reference which resource types there are, and what attributes they have.
#
# Usage: ruby resource_types.rb core [MODULE...]         Puppet's own types, and those of the modules in these folders
#        ruby resource_types.rb docs                   the documentation of Puppet's own types
#        ruby resource_types.rb corpus FOLDER < PATHS     the types that each file declares; one path a line, relative to FOLDER
#
# `core` writes JSON with one line for each metaparameter and type: {"version", "metaparameters", "types", "modules":
# [{"name", "version", "types"}]}. `corpus` writes one line of tab-separated columns for each path: path, JSON array of
# types, or `-` and why the reference does not load it. The form of types is that of
# crates/ruby/src/resource_type/model.rs. Documentation is left out. `docs` writes it, the first paragraphs of each text:
# {"source", "metaparameters": {NAME: TEXT}, "types": {NAME: {"doc", "attributes": {NAME: TEXT}}}}.

require_relative 'reference'
require 'puppet/type'

# Describes types as the reference has them in memory.
module Describe
  module_function

  def type(klass)
    described = { name: klass.name.to_s, attributes: attributes(klass), title_patterns: title_patterns(klass) }
    described[:isomorphic] = false unless klass.isomorphic?
    described[:target] = klass.apply_to unless klass.apply_to == :host
    features = klass.features.map { |name| { name: name.to_s } }
    described[:features] = features unless features.empty?
    relations = autorelations(klass)
    described[:autorelations] = relations unless relations.empty?
    described.compact
  end

  def attributes(klass)
    # A parameter that is declared twice is the later one.
    parameters = klass.parameters.uniq.map { |name| klass.paramclass(name) }
    klass.properties.map { |it| attribute(it, :property) } + parameters.map { |it| attribute(it, :parameter) }
  end

  def attribute(klass, kind)
    described = { name: klass.name.to_s, kind: kind }
    described[:namevar] = true if kind == :parameter && (klass.isnamevar? || klass.name == :name)
    values = values(klass)
    described[:values] = { listed: values } unless values.empty?
    described[:validated] = true unless [Puppet::Parameter, Puppet::Property].include?(klass.instance_method(:unsafe_validate).owner)
    described[:matching] = :all if klass.respond_to?(:array_matching) && klass.array_matching == :all
    features = Array(klass.required_features).flatten.map(&:to_s)
    described[:required_features] = features unless features.empty?
    default = default(klass)
    described[:default] = default unless default.nil?
    described[:deprecated] = true if deprecated?(klass)
    described
  end

  def values(klass)
    collection = klass.value_collection
    words = collection.instance_variable_get(:@strings).uniq { |value| value.name.to_s }.map { |value| word(value) }
    patterns = collection.instance_variable_get(:@regexes).map { |value| regexp(value.name) }
    { words: words, patterns: patterns }.reject { |_, list| list.empty? }
  end

  def word(value)
    aliases = value.aliases.map(&:to_s)
    aliases.empty? ? { name: value.name.to_s } : { name: value.name.to_s, aliases: aliases }
  end

  # The default if it is a literal: `defaultto` with a value makes a method in the reference's own file.
  def default(klass)
    return unless klass.method_defined?(:default)

    method = klass.instance_method(:default)
    return unless method.source_location&.first.to_s.end_with?('puppet/parameter.rb')

    value = method.bind_call(klass.allocate)
    value.to_s if [String, Symbol, Integer, Float, TrueClass, FalseClass].any? { |kind| value.is_a?(kind) }
  end

  # The first sentence says so.
  def deprecated?(klass)
    doc = klass.instance_variable_get(:@doc).to_s
    doc.strip[/\A.*?(?:\.|\n\s*\n|\z)/m].match?(/\bdeprecated\b/i)
  end

  def title_patterns(klass)
    klass.title_patterns.map do |pattern, attributes|
      { regexp: regexp(pattern), attributes: attributes.map { |name, _munge| name.to_s } }
    end
  rescue Puppet::DevError
    nil
  end

  def regexp(regexp)
    flags = { ignore_case: Regexp::IGNORECASE, multi_line: Regexp::MULTILINE, extended: Regexp::EXTENDED }
            .select { |_, bit| regexp.options.anybits?(bit) }.transform_values { true }
    flags.empty? ? { source: regexp.source } : { source: regexp.source, flags: flags }
  end

  def autorelations(klass)
    %i[require before subscribe notify].flat_map do |relation|
      klass.enum_for(:"eachauto#{relation}").map do |other, _block|
        { relation: relation, resource_type: other.to_s.downcase }
      end
    end
  end
end

# Loads what a module or the reference itself has.
module Load
  module_function

  # The types that the files directly in a folder declare, by name.
  def folder(lib)
    $LOAD_PATH.unshift(lib)
    Dir[File.join(lib, 'puppet/type/*.rb')].sort.map { |file| Puppet::Type.type(File.basename(file, '.rb').to_sym) }
  end

  # The types that appear when a file is loaded.
  def file(path)
    known = types
    Kernel.load(path)
    types.reject { |name, klass| known[name].equal?(klass) }.values
  end

  def types
    Puppet::Type.enum_for(:eachtype).to_h { |klass| [klass.name, klass] }
  end
end

def lines(list)
  "[\n#{list.map { |it| JSON.generate(it) }.join(",\n")}\n]"
end

def core(modules)
  core = core_types
  metaparameters = Puppet::Type.metaparams.map { |name| Puppet::Type.metaparamclass(name) }
  metaparameters.map! { |klass| Describe.attribute(klass, :metaparameter) }
  modules = modules.map do |folder|
    metadata = JSON.parse(File.read(File.join(folder, 'metadata.json')))
    types = Load.folder(File.join(folder, 'lib')).map { |klass| Describe.type(klass) }
    %({"name":#{metadata['name'].to_json},"version":#{metadata['version'].to_json},"types":#{lines(types)}})
  end
  puts <<~JSON
    {"version":#{Reference.version.to_json},
    "metaparameters":#{lines(metaparameters)},
    "types":#{lines(core.map { |klass| Describe.type(klass) })},
    "modules":[
    #{modules.join(",\n")}
    ]}
  JSON
end

# The first paragraphs of the documentation of types and attributes.
module Documentation
  # Paragraphs are added until a text has about as many letters.
  ENOUGH = 400

  module_function

  def of(klass)
    text = Puppet::Util::Docs.scrub(klass.instance_variable_get(:@doc).to_s).strip
    text.split(/\n[ \t]*\n/).each_with_object(+'') do |paragraph, all|
      # An example belongs to the paragraph above it.
      break all if all.length >= ENOUGH && !all.end_with?(':')

      all << "\n\n" unless all.empty?
      all << paragraph.rstrip
    end
  end

  def of_attributes(klasses)
    klasses.to_h { |klass| [klass.name.to_s, of(klass)] }.reject { |_, text| text.empty? }.sort.to_h
  end

  def of_type(klass)
    attributes = klass.properties + klass.parameters.uniq.map { |name| klass.paramclass(name) }
    { doc: of(klass), attributes: of_attributes(attributes) }
  end
end

def docs
  types = core_types.to_h { |klass| [klass.name.to_s, Documentation.of_type(klass)] }.sort.to_h
  metaparameters = Puppet::Type.metaparams.map { |name| Puppet::Type.metaparamclass(name) }
  puts JSON.pretty_generate(
    source: "Puppet #{Reference.version}, Copyright (c) Puppet, Inc., licensed under the Apache License 2.0; shortened",
    metaparameters: Documentation.of_attributes(metaparameters), types: types
  )
end

# Providers are files of their own, which need not be there, and of which the type's file says nothing.
def without_providers
  Puppet::Util::Autoload.prepend(Module.new do
    def loadall(environment)
      super unless path.start_with?('puppet/provider/')
    end
  end)
end

def core_types
  Load.folder($LOAD_PATH.find { |lib| File.exist?(File.join(lib, 'puppet/type/file.rb')) })
end

def corpus(folder)
  without_providers
  core_types
  paths = $stdin.readlines(chomp: true)
  # Types require files of their own and of other modules.
  paths.map { |path| path[%r{\A.*?/lib(?=/)}] }.uniq.each { |lib| $LOAD_PATH.push(File.join(folder, lib)) }
  paths.each do |path|
    answer = begin
      JSON.generate(Load.file(File.join(folder, path)).map { |klass| Describe.type(klass) })
    rescue Interrupt, SystemExit
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- LoadError and SyntaxError among them
      "-\t#{e.class}: #{e.message.lines.first.to_s.chomp.gsub(folder, '')}"
    end
    puts "#{path}\t#{answer}"
  end
end

Reference.session do
  case ARGV.shift
  when 'core' then core(ARGV)
  when 'docs' then docs
  when 'corpus' then corpus(File.expand_path(ARGV.fetch(0)))
  else abort 'usage: resource_types.rb core [MODULE...] | docs | corpus FOLDER < PATHS'
  end
end

#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks the reference for the results of the calls that modules' own examples make of their functions.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/ruby_functions.rb NAME=FOLDER…
#
# FOLDER is a checkout of the module NAME, whose examples are below spec; the functions are those of the corpus. A small stand-in for rspec-puppet runs the examples only to learn the arguments of
# calls: `run.with_params(…)`, `subject.execute(…)`. What a call gives is always what the reference says, so examples of other versions serve as well. Calls whose arguments are objects of Ruby, that
# have blocks, or that answer otherwise a second later are left out. Writes tests/oracle/ruby_functions/NAME.tsv.
require_relative 'scenarios/reference'

# What examples may call and nobody needs: takes everything, gives itself.
class Absorb < BasicObject
  def method_missing(*, **) = self
  def respond_to_missing?(*) = true
  def inspect = 'Absorb'
  def is_a?(*) = false
  def nil? = false
  def to_s = ''
  def class = ::Absorb
end
ABSORB = Absorb.new

# `run`, as far as it tells arguments.
class Run
  attr_reader :arguments, :block

  def initialize = (@arguments = [])

  def with_params(*arguments, **named)
    @arguments = named.empty? ? arguments : arguments + [named]
    self
  end

  def with_lambda
    @block = true
    self
  end

  def and_return(*) = self
  def and_raise_error(*) = self
end

# Facts of systems that examples run on.
SUPPORTED = {
  'debian-12-x86_64' => { kernel: 'Linux', osfamily: 'Debian', os: { 'family' => 'Debian', 'name' => 'Debian', 'architecture' => 'amd64', 'release' => { 'full' => '12.5', 'major' => '12', 'minor' => '5' } } },
  'redhat-9-x86_64' => { kernel: 'Linux', osfamily: 'RedHat', os: { 'family' => 'RedHat', 'name' => 'RedHat', 'architecture' => 'x86_64', 'release' => { 'full' => '9.3', 'major' => '9', 'minor' => '3' } } }
}.freeze

# `describe`, `context` and what may stand in them. A group is a class, an example an instance.
class Group
  class << self
    attr_accessor :function

    def describe(name = nil, *_, **options, &block)
      return if options[:if] == false || options[:unless] == true || block.nil?

      group = Class.new(self)
      group.function = function || name.to_s
      group.class_exec(&block)
    end
    alias context describe

    def let(name, &block)
      define_method(name) { (@lets ||= {}).key?(name) ? @lets[name] : @lets[name] = instance_exec(&block) }
    end
    alias let! let

    def it(*_, **options, &block)
      return if block.nil? || options[:if] == false

      example = new
      example.instance_exec(&block)
    rescue StandardError, ScriptError, SystemStackError => e
      warn "#{function}: #{e.class}: #{e.message.lines.first}" if ENV['SHOW_SKIPPED']
    end
    alias example it
    alias specify it

    def shared_examples(name, &block) = ((@@shared ||= {})[name] = block)
    alias shared_examples_for shared_examples
    alias shared_context shared_examples

    def it_behaves_like(name, *arguments, &block)
      shared = (@@shared ||= {})[name]
      group = Class.new(self)
      group.function = function
      group.class_exec(&block) if block
      group.class_exec(*arguments, &shared) if shared
    end
    alias include_examples it_behaves_like
    alias it_should_behave_like it_behaves_like
    alias include_context it_behaves_like

    def on_supported_os(*) = SUPPORTED
    def fixtures(*) = ''
    def method_missing(*, **) = ABSORB
    def respond_to_missing?(*) = true
    def subject(*) = nil
    def before(*) = nil
    alias after before
    alias around before
    alias xit before
    alias pending before
    alias skip before
  end

  def is_expected = self
  def run = Run.new
  def subject = self
  def execute(*arguments) = record(arguments, false) || ABSORB
  def to(matcher = nil, *) = matcher.is_a?(Run) ? record(matcher.arguments, matcher.block) : ABSORB
  alias not_to to
  alias to_not to
  def expect(*) = block_given? ? (yield; ABSORB) : ABSORB
  def method_missing(*, **) = ABSORB
  def respond_to_missing?(*) = true

  private

  def record(arguments, block)
    given = self.class.method_defined?(:facts) ? facts : nil
    code = self.class.method_defined?(:pre_condition) ? pre_condition : ''
    code = code.join("\n") if code.is_a?(Array)
    CALLS << [self.class.function, arguments, given, code] unless block || !code.is_a?(String)
    ABSORB
  end
end

module Kernel
  alias required require
  def require(name) = %w[spec_helper spec_helper_local].include?(name) || name.start_with?('shared_examples') ? true : required(name)
end

# The rest of rspec that files name.
module RSpec
  def self.describe(...) = Group.describe(...)
  def self.configure = nil
  def self.shared_examples(...) = Group.shared_examples(...)
  module Mocks; end
end

def describe(...) = Group.describe(...)
def shared_examples(...) = Group.shared_examples(...)
alias shared_examples_for shared_examples

# A value as Puppet writes it. Throws :none if it is nobody's.
def literal(value)
  return throw(:none) if Absorb === value # rubocop:disable Style/CaseEquality

  case value
  when nil, :undef then 'undef'
  when true, false, Integer then value.to_s
  when Float then value.finite? ? value.to_s : throw(:none)
  when String then value.valid_encoding? && value.encoding != Encoding::BINARY ? text(value) : throw(:none)
  when Array then "[#{value.map { |it| literal(it) }.join(', ')}]"
  when Hash then value.empty? ? '{}' : "{ #{value.map { |key, it| "#{literal(key.is_a?(Symbol) ? key.to_s : key)} => #{literal(it)}" }.join(', ')} }"
  when Regexp then value.options.zero? && !value.source.include?('/') ? "/#{value.source}/" : throw(:none)
  when Puppet::Pops::Types::PSensitiveType::Sensitive then "Sensitive(#{literal(value.unwrap)})"
  else throw(:none)
  end
end

def text(value)
  return "'#{value.gsub(/['\\]/) { "\\#{_1}" }}'" unless value.match?(/[\p{Cntrl}]/)

  "\"#{value.gsub(/["\\$]/) { "\\#{_1}" }.gsub(/\p{Cntrl}/) { { "\n" => '\n', "\t" => '\t', "\r" => '\r' }[_1] || format('\u{%x}', _1.ord) }}\""
end

# As compilers see facts.
def sanitized(value)
  case value
  when nil then ''
  when Array then value.map { |it| sanitized(it) }
  when Hash then value.transform_values { |it| sanitized(it) }
  else value
  end
end

def statement?(name)
  environment = KEPT.environment
  Puppet.override(current_environment: environment) { Puppet::Parser::Functions.function(name) && !Puppet::Parser::Functions.rvalue?(name) && !Puppet::Pops::Loaders.new(environment).private_environment_loader&.load(:function, name).respond_to?(:dispatcher) }
rescue StandardError
  false
end

# `= JSON`, `= ` of a statement, or `! message`.
def answer(expression, facts, before, statement)
  values = { 'fqdn' => 'node1.example.com' }.merge(facts)
  # Definitions of earlier rows would remain.
  kept = before.empty? ? KEPT : KeptEnvironment.new({ 'fqdn' => 'node1.example.com' })
  code = "#{before}\n#{statement ? expression : "notify { 'answer': message => [#{expression}] }"}"
  catalog = kept.compile(code, values)
  return '= ' if statement

  message = wire(catalog)['resources'].find { |it| it['type'] == 'Notify' && it['title'] == 'answer' }['parameters']['message']
  "= #{JSON.generate(message.first)}"
rescue Puppet::Error => e
  "! #{worded(e.message)}"
rescue StandardError, ScriptError, SystemStackError => e
  warn "#{expression}: #{e.class}: #{e.message.lines.first} #{e.backtrace.first}" if ENV['SHOW_SKIPPED']
  "! #{e.class}"
end

def worded(message)
  message = message.gsub(/ \((file|line): [^()]*\)/, '').sub(/ on node node1\.example\.com\z/, '').sub(/\AEvaluation Error: Error while evaluating a (Function Call|Resource Statement), /, '').sub(/\AEvaluation Error: /, '')
  message = message[/\A.*?undefined (method|local variable)/m] || message
  message.strip.gsub('\\', '\\\\\\\\').gsub("\n", '\n').gsub("\t", '\t')[0, 400]
end

KEPT = KeptEnvironment.new({ 'fqdn' => 'node1.example.com' })
folder = File.join(REPOSITORY, 'tests/oracle/ruby_functions')
FileUtils.mkdir_p(folder)
ARGV.each do |argument|
  name, checkout = argument.split('=', 2)
  CALLS = [] # rubocop:disable Lint/ConstantDefinitionInBlock
  shared = Dir[File.join(checkout, 'spec/{support,shared*}/**/*.rb')].sort + Dir[File.join(checkout, 'spec/spec_helper_local.rb')]
  [*shared, *Dir[File.join(checkout, 'spec/**/*func*/**/*_spec.rb')].sort].each do |file|
    load file
  rescue StandardError, ScriptError, SystemStackError => e
    warn "#{file}: #{e.message.lines.first}"
  end
  rows = CALLS.filter_map do |function, arguments, facts, before|
    catch(:none) do
      facts = facts.is_a?(Hash) ? sanitized(JSON.parse(JSON.generate(facts.transform_keys(&:to_s)))) : {}
      ["#{function}(#{arguments.map { |it| literal(it) }.join(', ')})", facts, before]
    end
  rescue JSON::GeneratorError
    nil
  end.uniq
  asked = rows.map { |expression, facts, before| [expression, facts, before, statement?(expression[/\A[\w:]+/])] }
  first = asked.map { |it| answer(*it) }
  sleep 1.1
  second = asked.map { |it| answer(*it) }
  kept = asked.each_index.select { |i| first[i] == second[i] && !first[i].match?(/\A! (Unknown function|LoadError|SystemStackError)/) && !first[i].include?(SCRATCH) && first[i].bytesize < 2000 && !asked[i][0].match?(/[\n\t]/) }
  File.open(File.join(folder, "#{name}.tsv"), 'w') do |file|
    file.puts '# Results of functions of the corpus, recorded by `xtask/oracle/ruby_functions.rb`; docs/oracle.md describes the rows.'
    kept.each do |i|
      expression, facts, before = asked[i]
      columns = before.empty? ? [facts.empty? ? nil : JSON.generate(facts)].compact : [JSON.generate(facts), JSON.generate(before)]
      file.puts [expression, first[i], *columns].join("\t")
    end
  end
  puts "#{name}: #{CALLS.size} calls in examples, #{asked.size} different ones with values of Puppet, #{kept.size} recorded, #{kept.count { |i| first[i].start_with?('!') }} of them errors"
  Object.send(:remove_const, :CALLS)
end

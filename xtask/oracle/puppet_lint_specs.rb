# Reads the specifications of puppet-lint and of its plugins, and writes their examples as lines of JSON: the check, the code, and how
# many problems are expected, and where. The arguments are the files.
#
# A small stand-in for RSpec evaluates the files. Nothing of puppet-lint runs: what is expected is what the authors wrote.

require 'json'
require 'set'
require 'ostruct'

# Ends an example that expects what is not understood here.
class NotUnderstood < StandardError; end

# Stands for puppet-lint, as far as examples configure it.
module PuppetLint
  # Takes every option.
  class Configuration < BasicObject
    attr_reader :settings

    def initialize
      @settings = {}
    end

    def method_missing(name, *arguments)
      return @settings[name] if arguments.empty?

      @settings[name.to_s.delete_suffix('=').to_sym] = arguments.first
    end

    def respond_to_missing?(*)
      true
    end
  end

  def self.configuration
    @configuration ||= Configuration.new
  end

  def self.reset
    @configuration = Configuration.new
  end

  # Examples name some of its constants.
  class OptParser; end
end

# What an example says of its problems.
class Expectation
  def initialize(subject, record)
    @subject = subject
    @record = record
  end

  def to(matcher)
    case [@subject, matcher]
    in [:problems, [:empty]] then @record[:size] = 0
    in [:problems, [:have, Integer => size]] then @record[:size] = size
    in [:size, [:eq, Integer => size]] then @record[:size] = size
    in [:problems, Place => place] then place.note(@record)
    in [:manifest, [:eq, String => text]] then @record[:fixed] = text
    else raise NotUnderstood, matcher.inspect
    end
  end

  def not_to(matcher)
    raise NotUnderstood, matcher.inspect
  end
  alias to_not not_to
end

# `contain_warning(…).on_line(…).in_column(…)`.
class Place
  def initialize(kind)
    @kind = kind
  end

  def on_line(line)
    @line = line
    self
  end

  def in_column(column)
    @column = column
    self
  end

  def with_reason(_reason)
    self
  end

  def note(record)
    raise NotUnderstood, 'ignored' if @kind == :ignored

    record[:places] << [@line, @column] if @line
  end
end

# `problems`, which only can be counted.
class Problems
  def size
    :size
  end
  alias count size
  alias length size
end

# `have(2).problems`.
class Having < Array
  def problems
    self
  end
  alias problem problems
end

# A group of examples, and what it defines.
class Group
  GROUPS = []

  attr_reader :lets, :names, :hooks

  def initialize(names, parent = nil)
    @names = names
    @lets = parent ? parent.lets.dup : {}
    @hooks = parent ? parent.hooks.dup : []
    @examples = []
    @root = Dir.pwd
    GROUPS << self
  end

  def context(name = '', *, &block)
    Group.new(@names + [name.to_s], self).instance_eval(&block) if block
  end
  alias describe context

  def let(name, &block)
    @lets[name] = block
  end
  alias let! let

  def before(*, &block)
    @hooks << block
  end

  def after(*); end

  def subject(*); end

  def it(*, &block)
    @examples << block if block
  end
  alias specify it

  # `its(:problems) { is_expected.to be_empty }`
  def its(name, &block)
    @examples << proc { @of = public_send(name); instance_eval(&block) }
  end

  # All that the examples of a group expect of its code. They name files as seen from their repository.
  def record
    return if @examples.empty?

    Dir.chdir(@root) { recorded }
  end

  private

  def recorded

    record = { check: @names.first, context: @names.drop(1).join(' / '), size: nil, places: [], fixed: nil, skipped: 0 }
    PuppetLint.reset
    example = Example.new(@lets, record)
    begin
      @hooks.each { |it| example.instance_eval(&it) }
    rescue StandardError, NotImplementedError
      record[:skipped] += 1
    end
    record[:code] = example.code
    record[:path] = example.path
    @examples.each do |it|
      example.instance_eval(&it)
    rescue StandardError, NotImplementedError
      record[:skipped] += 1
    end
    record[:fix] = PuppetLint.configuration.fix == true
    record if record[:code].is_a?(String) && (record[:size] || record[:places].any?)
  end
end

# What the block of an example can name.
class Example
  def initialize(lets, record)
    @lets = lets
    @record = record
    @values = {}
  end

  def code
    let(:code)
  end

  def path
    @lets.key?(:path) ? let(:path) : (@lets.key?(:fullpath) ? let(:fullpath) : nil)
  end

  def problems
    Problems.new
  end

  def manifest
    :manifest
  end

  def subject
    self
  end

  def is_expected
    expect(@of)
  end

  def expect(subject = nil)
    subject = :problems if subject.is_a?(Problems)
    Expectation.new(subject, @record)
  end

  def be_empty
    [:empty]
  end

  def eq(value)
    [:eq, value]
  end

  def have(size)
    Having.new([:have, size])
  end

  def contain_warning(*)
    Place.new(:found)
  end
  alias contain_error contain_warning
  alias contain_fixed contain_warning
  alias contain_info contain_warning

  def contain_ignored(*)
    Place.new(:ignored)
  end

  def method_missing(name, *arguments)
    @lets.key?(name) && arguments.empty? ? let(name) : raise(NotUnderstood, name.to_s)
  end

  def respond_to_missing?(name, *)
    @lets.key?(name)
  end

  private

  def let(name)
    return @values[name] if @values.key?(name)

    @values[name] = @lets.key?(name) ? instance_eval(&@lets[name]) : nil
  end
end

def describe(name, *, &block)
  Group.new([name.to_s]).instance_eval(&block)
end

module RSpec
  def self.describe(...)
    Object.new.send(:describe, ...)
  end
end

def require(name)
  name == 'spec_helper' || super
end

# What examples print is no answer.
answers = $stdout.dup
$stdout = $stderr

ARGV.map { |it| File.expand_path(it) }.each do |path|
  Dir.chdir(path[%r{\A(.*?)/spec/}, 1] || '.')
  load path
rescue StandardError, ScriptError => error
  warn "#{path}: #{error.message}"
end

Group::GROUPS.each do |group|
  record = group.record
  answers.puts JSON.generate(record) if record
end

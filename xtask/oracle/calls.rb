# frozen_string_literal: true

# Asks the reference which calls functions in Ruby take: fills the answers in a table of calls in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/calls.rb tests/oracle/ruby/calls.tsv corpus/tree/usr/share/puppet/modules.available
#
# Rows are a call and, behind a tab, `taken`, or what the reference says when none of the function's signatures takes it. What goes
# wrong inside of the function is no matter: the call was taken.

require_relative 'reference'
require 'fileutils'

# Remembers what signatures refuse.
module Refusals
  class << self
    attr_accessor :message
  end

  def dispatch(instance, scope, arguments, &block)
    found = find_matching_dispatcher(arguments, &block)
    return super if found && !found.argument_mismatch_handler?

    begin
      super
    rescue ArgumentError => e
      Refusals.message ||= e.message
      raise
    end
  end
end
Puppet::Pops::Functions::Dispatcher.prepend(Refusals)

# The table's calls, answered in an environment of these modules.
class Calls
  def initialize(folder, modules)
    @folder = folder
    modules.each do |it|
      FileUtils.ln_s(it, File.join(folder, File.basename(it).sub(/\A[^-]*-/, '').tr('-', '_')))
      # Functions ask for other files of their modules.
      $LOAD_PATH.push(File.join(it, 'lib'))
    end
  end

  def answer(call)
    Refusals.message = nil
    Puppet[:code] = call
    environment = Puppet::Node::Environment.create(:calls, [@folder])
    Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
      Puppet::Parser::Compiler.compile(Puppet::Node.new('node.example.com', environment: environment))
    end
    'taken'
  rescue Puppet::Error => e
    abort("#{call}: #{e.message}") if Refusals.message.nil? && e.message.match?(/Syntax error|Unknown function/)
    Refusals.message&.gsub(/\s+/, ' ') || 'taken'
  end
end

table, folder = ARGV
lines = File.readlines(table, chomp: true)
names = lines.grep(/\A# modules: /).flat_map { |it| it.delete_prefix('# modules: ').split }
Dir.mktmpdir do |temporary|
  Puppet.initialize_settings(['--confdir', File.join(temporary, 'conf'), '--vardir', File.join(temporary, 'var')])
  Puppet[:strict] = :error
  Puppet::Util::Log.level = :crit
  FileUtils.mkdir(File.join(temporary, 'modules'))
  calls = Calls.new(File.join(temporary, 'modules'), names.map { |it| File.expand_path(it, folder) })
  head, rows = lines.partition { |it| it.start_with?('#') || it == "call\tanswer" }
  rows = rows.map { |it| it.split("\t").first }.map { |it| "#{it}\t#{calls.answer(it)}" }
  File.write(table, "#{(head + rows).join("\n")}\n")
end

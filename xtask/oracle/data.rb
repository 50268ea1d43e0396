# frozen_string_literal: true

# Records what the reference reads from texts of data: fills the answers of the rows under tests/values/data in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/data.rb tests/values/data/*.md
#
# The README beside the pages describes the rows.

require_relative 'reference'
require 'puppet/util/yaml'
require 'puppet/util/json'
require 'hocon'
require 'hocon/config_error'

# Answers rows.
class DataRows
  ARROW = ' → '

  # Stands before marotte's answer where it differs on purpose.
  DIFFERENT = ' ≠ '

  # The page with all answers filled in.
  def fill(page)
    kind = nil
    page.lines(chomp: true).map do |line|
      if line.start_with?('```')
        kind = line.delete_prefix('```')
        line
      elsif %w[yaml-rows json-rows hocon-rows].include?(kind) && !line.empty?
        row, different, ours = line.partition(DIFFERENT)
        question = row.rpartition(ARROW).then { |before, arrow, after| arrow.empty? ? after : before }
        "#{question}#{ARROW}#{answer(kind, question.tr('⏎⇥', "\n\t"))}#{different}#{ours}"
      else
        line
      end
    end.join("\n") << "\n"
  end

  private

  def answer(kind, text)
    data = read(kind, text)
    Puppet::Pops::Types::StringConverter.singleton.convert(symbols_to_values(data), '%p').gsub("\n", '⏎')
  rescue Puppet::Util::Yaml::YamlLoadError => e
    e.cause.is_a?(Psych::SyntaxError) ? '✗ syntax' : "✗ #{e.message.delete_prefix('(<unknown>): ')}"
  rescue Puppet::Util::Json::ParseError, JSON::NestingError, Hocon::ConfigError
    '✗ syntax'
  rescue FloatDomainError, TypeError, NoMethodError
    '✗ CRASH'
  end

  def read(kind, text)
    case kind
    when 'yaml-rows' then yaml(text)
    when 'json-rows' then Puppet::Util::Json.load(text)
    else Hocon.parse(text)
    end
  end

  # Puppet reads an empty document as `false`, which nobody could tell from one that says so.
  def yaml(text)
    data = Puppet::Util::Yaml.safe_load(text, [Symbol])
    data == false && !text.match?(/no|off|false/i) ? nil : data
  end

  # As readers of hiera data have it: keys may be symbols, values may not.
  def symbols_to_values(data)
    case data
    when Hash
      data.to_h { |key, value| [key.is_a?(Symbol) ? key.to_s : symbols_to_values(key), symbols_to_values(value)] }
    when Array then data.map { |element| symbols_to_values(element) }
    when Symbol then raise Puppet::Util::Yaml::YamlLoadError, 'a symbol is no value; only keys may be symbols'
    else data
    end
  end
end

Reference.session do
  rows = DataRows.new
  ARGV.each do |path|
    File.write(path, rows.fill(File.read(path, encoding: 'utf-8')))
  end
end

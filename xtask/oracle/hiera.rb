# frozen_string_literal: true

# Records what the reference says about lookups of data: fills the results in the chapters under tests/hiera in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/hiera.rb tests/hiera/*.md
#
# The chapters' own README describes the notation. Each section of a chapter is a small repository of its own. The node's
# facts are those of tests/evaluation/facts.json.

require 'fileutils'
require 'shellwords'
require_relative 'programs'

# Puppet 8 comes without Hiera 3, which the machine may have for older ones.
Puppet.features.add(:hiera) { false }

# Runs lookups.
class Lookups < Programs
  include Puppet::Pops

  def initialize(root)
    super()
    @root = root
  end

  # The chapter with all results filled in.
  def fill(chapter)
    out = []
    lines = chapter.lines(chomp: true)
    clear
    until lines.empty?
      line = lines.shift
      out << line
      case line
      when /\A## / then clear
      when '```rows' then fill_rows(lines, out)
      when '```explain' then fill_explanation(lines, out)
      when /\A```\w+ (\S+)\z/ then write(Regexp.last_match(1), lines, out)
      when /\A<!-- settings: (.*) -->\z/ then @settings = $1.split(',').to_h { |it| it.strip.split('=') }
      end
    end
    out.join("\n") << "\n"
  end

  private

  # Starts a repository.
  def clear
    FileUtils.rm_rf(Dir.glob("#{@root}/*"))
    FileUtils.mkdir_p("#{@root}/production/modules")
    FileUtils.mkdir_p("#{@root}/global")
    @settings = {}
  end

  def write(path, lines, out)
    text = +''
    text << lines.shift << "\n" until lines.first == '```' || lines.empty?
    out.concat(text.lines(chomp: true))
    target = File.join(@root, path)
    FileUtils.mkdir_p(File.dirname(target))
    File.write(target, text.gsub('‹repo›', @root))
  end

  def fill_explanation(lines, out)
    arguments = lines.shift
    out << arguments << lines.shift
    explanation = explanation(Shellwords.split(arguments)).gsub(@root, '‹repo›')
    replace_result(lines, out, explanation.lines(chomp: true))
  end

  # What `puppet lookup` prints.
  def explanation(arguments)
    @log.clear
    options = options(arguments)
    in_new_session do |_, scope|
      only = options[:options] && !options[:data]
      explains = options[:options] || options[:data]
      explainer = Puppet::Pops::Lookup::Explainer.new(options[:options], only) if explains
      invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, explainer)
      keys = options[:keys].empty? ? Puppet::Pops::Lookup::GLOBAL : options[:keys]
      type = Types::TypeParser.singleton.parse(options[:type], scope) if options[:type]
      begin
        result = Puppet::Pops::Lookup.lookup(keys, type, options[:default], !options[:default].nil?, merge(options), invocation)
        return rendered(result, options) unless explains
      rescue Puppet::DataBinding::LookupError => e
        return "✗ #{message(e)}\n" unless explains

        invocation.report_text { e.message }
      end
      options[:format] ? rendered(explainer.to_hash, options) : explainer.explain
    end
  rescue Puppet::Error, ArgumentError, Types::TypeAssertionError => e
    "✗ #{message(e)}\n"
  end

  def rendered(value, options)
    Puppet::Network::FormatHandler.format((options[:format] || 'yaml').to_sym).render(value).chomp << "\n"
  end

  def merge(options)
    return nil unless options[:merge]
    return { 'strategy' => options[:merge] } unless options[:merge] == 'deep'

    merge = { 'strategy' => 'deep', 'sort_merged_arrays' => !!options[:sort], 'merge_hash_arrays' => !!options[:hashes] }
    merge['knockout_prefix'] = options[:prefix] if options[:prefix]
    merge
  end

  def options(arguments)
    options = { keys: [] }
    until arguments.empty?
      case (argument = arguments.shift)
      when '--explain' then options[:data] = true
      when '--explain-options' then options[:options] = true
      when '--merge' then options[:merge] = arguments.shift
      when '--knock-out-prefix' then options[:prefix] = arguments.shift
      when '--sort-merged-arrays' then options[:sort] = true
      when '--merge-hash-arrays' then options[:hashes] = true
      when '--type' then options[:type] = arguments.shift
      when '--default' then options[:default] = arguments.shift
      when '--render-as' then options[:format] = arguments.shift
      else options[:keys] << argument
      end
    end
    options
  end

  def placeless_result(code)
    result(code).map { |it| it.gsub(@root, '‹repo›') }
  end

  def in_new_session(&program)
    prepare
    Puppet[:hiera_config] = File.join(@root, 'global/hiera.yaml')
    folder = File.join(@root, 'production')
    environment = Puppet::Node::Environment.create(:production, [File.join(folder, 'modules')])
    environments = Puppet::Environments::StaticDirectory.new(:production, folder, environment)
    Puppet.override(current_environment: environment, environments: environments) do
      in_top_scope(Puppet::Parser::Compiler.new(node_in(environment)), &program)
    end
  end

  # With the place in a configuration, which the message does not have.
  def message(error)
    text = super
    return text unless error.is_a?(Puppet::DataBinding::LookupError) && error.file && !text.include?('(file:')

    text + Puppet::Util::Errors.error_location_with_space(error.file.to_s, error.line)
  end
end

if $PROGRAM_NAME == __FILE__
  Reference.session do
    Dir.mktmpdir('marotte-hiera') do |folder|
      root = File.realpath(folder)
      ARGV.each do |path|
        chapter = File.read(path, encoding: 'UTF-8')
        File.write(path, Lookups.new(root).fill(chapter))
      end
    end
  end
end

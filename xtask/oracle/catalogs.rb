# frozen_string_literal: true

# Records what the reference compiles: fills the catalogs and errors in the chapters under tests/catalog in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/catalogs.rb tests/catalog/*.md
#
# The chapters' own README describes the notation.

require_relative 'reference'
require 'fileutils'
require 'yaml'
require 'puppet/parser/compiler'

# A control repository with one node: files by path, facts, what a classifier says, settings.
Scenario = Struct.new(:files, :facts, :classification, :settings, keyword_init: true) do
  def self.empty
    new(files: {}, facts: {}, classification: {}, settings: {})
  end

  # The same, to be changed by itself.
  def copy
    Scenario.new(**to_h.transform_values(&:dup))
  end
end

# Compiles scenarios.
class Catalogs
  NODE = 'node.example.com'
  SERVER_FACTS = { 'serverversion' => '8.11.0', 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1' }.freeze
  PLACE = /(?:\s+at |\s*)\((?:file: (?<file>[^,)]+)(?:, line: (?<line>\d+))?(?:, column: \d+)?|line: \d+, column: \d+|file & line not available)\)/
  DURING = /Error while evaluating an? [^,]*,(?: |\z)/
  ADDRESS = / by #<Puppet::Resource::Type:0x\h{16}>/
  # Resources that are the same in every catalog.
  USUAL = [
    'Stage[main] compilable_type tags stage {"name":"main"}',
    'Class[Settings] unknown in Stage[main] tags class,settings'
  ].freeze

  def initialize(folder)
    @folder = folder
    @log = Puppet::Util::Log.desttypes.fetch(:marotte_oracle).messages
  end

  # The chapter with all answers filled in.
  def fill(chapter)
    lines = chapter.lines(chomp: true)
    out = []
    scenario = Scenario.empty
    settings = {}
    open = false
    until lines.empty?
      line = lines.shift
      case line
      when /\A<!-- settings: (.*) -->\z/ then settings = Regexp.last_match(1).split(',').to_h { |it| it.strip.split('=') }
      when '<!-- same repository -->' then open = true
      when '```rows'
        out << line
        fill_rows(lines, out, settings)
        next
      when /\A```(catalog|faults)\z/
        kind = Regexp.last_match(1)
        body(lines)
        scenario.settings = settings
        out.push(line, *(kind == 'catalog' ? answer(scenario) : faults(scenario)), '```')
        open = false
        next
      when /\A```(\w+)(?: (\S+))?\z/
        kind, path = Regexp.last_match(1), Regexp.last_match(2)
        scenario = Scenario.empty unless open
        open = true
        text = body(lines)
        out.push(line, *text, '```')
        case kind
        when 'facts', 'classification' then scenario[kind] = YAML.safe_load(text.join("\n"))
        else scenario.files[path || 'manifests/site.pp'] = "#{text.join("\n")}\n"
        end
        # The answer of a scenario that was never recorded.
        following = lines.find { |it| !it.empty? }
        lines.unshift('', '```catalog', '```') unless following&.match?(/\A```\w+(?: \S+)?\z/) && following != '```rows'
        next
      end
      out << line
    end
    out.join("\n") << "\n"
  end

  private

  # The lines of a block, whose first line has been taken.
  def body(lines)
    text = []
    text << lines.shift until lines.first == '```'
    lines.shift
    text
  end

  def fill_rows(lines, out, settings)
    until lines.first == '```'
      line = lines.shift
      if line.empty? || line.start_with?('#')
        out << line
      else
        line, remark, own = line.partition(' ⚑ ')
        manifest = line.include?(' → ') ? line.rpartition(' → ').first : line
        scenario = Scenario.new(files: { 'manifests/site.pp' => "#{manifest.gsub('⏎', "\n")}\n" }, facts: {}, classification: {},
                                settings: settings)
        out << "#{manifest} → #{answer(scenario).join(' · ')}#{remark}#{own}"
      end
    end
  end

  def answer(scenario)
    told(attempt(scenario)).then { |catalog| logs + catalog }
  rescue StandardError, SystemStackError, SecurityError => e
    @log.reject! { |it| it.level == :err }
    logs << "✗ #{error(e).first}"
  end

  # What is found one after another, if each time the line that an error names is taken away, until nothing is left. Such
  # lines are marked, and so are those that are only wrong without them.
  def faults(scenario)
    scenario = scenario.copy
    found = []
    loop do
      attempt(scenario)
      return found
    rescue StandardError, SystemStackError, SecurityError => e
      text, places = error(e)
      mark = places.lazy.filter_map { |it| take_away(scenario, *it.split(':')) }.first
      raise "no line is marked: #{text}" unless mark

      found << "✗ #{text}" unless mark == '# follows'
    end
  end

  # Takes a line away if it is marked. Gives the mark.
  def take_away(scenario, path, line)
    lines = scenario.files.fetch(path).lines
    mark = lines[line.to_i - 1][/# (?:✗|follows)$/] or return nil
    lines[line.to_i - 1] = "\n"
    scenario.files[path] = lines.join
    mark
  end

  def attempt(scenario)
    FileUtils.rm_rf(@folder)
    manifests = File.join(@folder, 'manifests')
    [manifests, File.join(@folder, 'modules')].each { |it| FileUtils.mkdir_p(it) }
    scenario.files.each do |path, text|
      FileUtils.mkdir_p(File.dirname(File.join(@folder, path)))
      File.write(File.join(@folder, path), text)
    end
    $unique_warnings = nil # rubocop:disable Style/GlobalVars -- Puppet's own
    Puppet::Util::Warnings.clear_warnings
    Puppet[:strict] = scenario.settings.fetch('strict', 'error').to_sym
    Puppet[:strict_variables] = scenario.settings.fetch('strict_variables', 'true') == 'true'
    Puppet[:hiera_config] = File.join(@folder, 'global/hiera.yaml')
    @log.clear
    compile(scenario)
  end

  def compile(scenario)
    environment = Puppet::Node::Environment.create(:production, [File.join(@folder, 'modules')], File.join(@folder, 'manifests'))
    values = { 'kernel' => 'Linux', 'os' => { 'family' => 'Debian', 'name' => 'Debian' } }.merge(scenario.facts || {})
    facts = Puppet::Node::Facts.new(NODE, values)
    node = Puppet::Node.new(NODE, environment: environment, facts: facts, classes: scenario.classification['classes'] || {},
                                  parameters: scenario.classification['parameters'] || {})
    node.merge(values)
    node.add_server_facts(SERVER_FACTS)
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => NODE, 'extensions' => {}, 'external' => {},
                          'hostname' => 'node', 'domain' => 'example.com' }
    environments = Puppet::Environments::StaticDirectory.new(:production, @folder, environment)
    Puppet.override(current_environment: environment, environments: environments, rich_data: true, trusted_information: nil) do
      compiled = Puppet::Parser::Compiler.compile(node)
      # As a server sends it, and `puppet catalog compile` prints it.
      Puppet.override(rich_data: true) { compiled.filter(&:virtual?).to_data_hash }
    end
  end

  def logs
    @log.map { |it| "#{it.level}: #{it.message.to_s.gsub(PLACE, '').gsub("\n", '⏎').gsub(@folder, '‹env›')}" }
  end

  def told(data)
    contained = Hash.new { |hash, key| hash[key] = [] }
    data['edges'].each { |it| contained[it['target']] << it['source'] }
    lines = data['resources'].map { |it| resource(it, contained["#{it['type']}[#{it['title']}]"]) }
    ["tags #{data['tags'].join(',')}", "classes #{data['classes'].join(',')}"] + lines.reject { |it| USUAL.include?(it) }
  end

  def resource(it, containers)
    words = ["#{it['type']}[#{it['title']}]".gsub("\n", '⏎'), it['kind']]
    words << 'exported' if it['exported']
    words << "at #{relative(it['file'])}:#{it['line']}" if it['file']
    words << "in #{containers.join(' & ')}" unless containers.empty?
    words << "tags #{it['tags'].join(',').gsub("\n", '⏎')}"
    words << JSON.generate(it['parameters']) if it['parameters']
    words << "sensitive #{it['sensitive_parameters'].join(',')}" if it['sensitive_parameters']
    words.join(' ')
  end

  def relative(path)
    path.delete_prefix("#{@folder}/")
  end

  # The message with all places that it names, and these.
  def error(error)
    text = error.message.sub(/ on node #{NODE}\z/, '')
    # What only raises by mistake.
    return ["CRASH #{Regexp.last_match(0)}", []] if text =~ /undefined method `\w+[?!]?'|no implicit conversion of \w+ into \w+/

    text = text.sub(/\ACould not parse for environment production: /, '')
    read = Regexp.last_match
    return ['refused when it is read', []] if read && text !~ /already defined|is a metaparameter|Evaluation Error/

    places = []
    text = text.gsub(PLACE) do
      found = Regexp.last_match
      places << [relative(found[:file]), found[:line]].compact.join(':') if found[:file]
      ''
    end
    text = text.gsub('Evaluation Error: ', '').gsub(DURING, '').gsub('Puppet::Pops::Model::', '').gsub(ADDRESS, '').gsub("\n", '⏎').gsub(@folder, '‹env›')
    text = text.gsub('Puppet::Parser::Compiler failed with error ArgumentError: ', '')
    places = places.uniq.sort
    [[text, places.join(', ')].reject(&:empty?).join(' — '), places]
  end
end

if $PROGRAM_NAME == __FILE__
  Reference.session do
    Puppet[:certname] = Catalogs::NODE
    Puppet[:rich_data] = true
    Dir.mktmpdir('marotte-catalogs') do |folder|
      ARGV.each do |path|
        chapter = File.read(path, encoding: 'UTF-8')
        File.write(path, Catalogs.new(File.join(folder, 'production')).fill(chapter))
      end
    end
  end
end

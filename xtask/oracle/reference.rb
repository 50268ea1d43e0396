# frozen_string_literal: true

# The reference implementation, loaded once into this process: parsing, validation and dumps of texts.
#
# The installed Puppet is used, or the library in the folder that PUPPET_LIB names. Puppet's `strict` setting is
# `error` here, which is the default of Puppet 8, whatever the version.

$LOAD_PATH.unshift(ENV['PUPPET_LIB']) if ENV['PUPPET_LIB']

require 'digest'
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'

# What the lexer only logs (unrecognized escapes, …), kept for the caller.
Puppet::Util::Log.newdesttype(:marotte_oracle) do
  match(:marotte_oracle)

  class << self
    def messages
      @messages ||= []
    end
  end

  def handle(message)
    self.class.messages << message
  end
end

# Asks Puppet about texts.
module Reference
  # An error that carries no issue code (a few are raised as plain parse errors).
  UNCODED = 'UNCODED'

  # What the reference says about one text. `verdict` is ok, error, or crash (it raised something that is no
  # parse error); `errors` and `warnings` are hashes as the snippets protocol prints them; `program` is the tree
  # of a text that parses, whether validation accepts it or not.
  Answer = Struct.new(:verdict, :errors, :warnings, :program, keyword_init: true)

  # Classes of the platform, and what the language calls them.
  PLATFORM_NAMES = {
    'TrueClass' => 'Boolean', 'FalseClass' => 'Boolean', 'NilClass' => 'Undef', 'Symbol' => 'Default'
  }.freeze

  module_function

  # What an error says, without its place and what was evaluated, with names of types for classes of the platform.
  def message(error)
    text = error.respond_to?(:basic_message) ? error.basic_message : Exception.instance_method(:to_s).bind_call(error)
    text = text.sub(/\AEvaluation Error: (?:Error while evaluating a[^,]*, )?/, '').sub(/ \(line: \d+, column: \d+\)\z/, '')
    text = text.gsub('SemanticPuppet::Version', 'SemVer').gsub('URI::HTTP', 'URI').gsub(/\bPuppet::Pops::(?:Time::|Types::P(?:Binary|Sensitive)Type::)/, '')
    text = text.gsub(/\b(an?) Version\b/i, '\1 SemVer')
    text = text.gsub(/\bconversion of (nil|true|false)\b/) { "conversion of #{$1 == 'nil' ? 'Undef' : 'Boolean'}" }
    text = text.gsub(/can't convert (?:true|false) into/, "can't convert Boolean into")
    text = text.gsub('(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*') { '[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*' }
    text.gsub(/\b(?:#{PLATFORM_NAMES.keys.join('|')})\b/, PLATFORM_NAMES).gsub(/Puppet::Pops::Types::P(\w+)Type\b/, '\1-Type')
  end

  # Readies the settings and runs the block where loaders exist (syntax checkers of heredocs need them).
  def session
    Dir.mktmpdir('marotte-oracle') do |folder|
      Puppet.initialize_settings(["--confdir=#{folder}/conf", "--vardir=#{folder}/var"])
      Puppet[:strict] = :error
      # Quote every deprecation and warning: the defaults stop at ten per run.
      Puppet[:max_warnings] = Puppet[:max_deprecations] = 1_000_000
      Puppet::Util::Log.newdestination(:marotte_oracle)
      environment = Puppet::Node::Environment.create(:oracle, [])
      Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
        Puppet.override(loaders: Puppet::Pops::Loaders.new(environment)) { yield }
      end
    end
  end

  # The version of the library that answers.
  def version
    Puppet.version
  end

  # Parses and validates a text; mode is pp, epp or tasks. `file` is the name that location rules see.
  def ask(code, mode: 'pp', file: nil)
    log = Puppet::Util::Log.desttypes.fetch(:marotte_oracle).messages
    log.clear
    Puppet[:tasks] = mode == 'tasks'
    evaluating_parser = evaluating_parser(mode)
    begin
      program = evaluating_parser.parser.parse_string(code, file).model
      found = evaluating_parser.validate(program)
    rescue Puppet::ParseError => e
      return Answer.new(verdict: 'error', errors: [raised(e)], warnings: log.map { |m| logged(m) })
    rescue Interrupt, SystemExit
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- SystemStackError and RegexpError among them
      return Answer.new(verdict: 'crash', errors: [crashed(e)], warnings: log.map { |m| logged(m) }, program: program)
    end
    Answer.new(verdict: found.errors? ? 'error' : 'ok', errors: found.errors.map { |d| diagnosed(d) },
               warnings: log.map { |m| logged(m) } + found.warnings.map { |d| diagnosed(d) }, program: program)
  end

  # The tree as `puppet parser dump --format json` prints it, without the line end.
  def json(program)
    JSON.dump(notation(program).to_data)
  end

  # The tree as `puppet parser dump --format pn` prints it, without the line end.
  def pn(program)
    text = +''
    notation(program).format(nil, text)
    text
  end

  # The lexer's tokens as [name, byte offset, byte length]. Tokens of heredoc texts are left out: their offsets count
  # in the text without its margin.
  def tokens(code)
    Puppet[:tasks] = false
    lexer = Puppet::Pops::Parser::Lexer2.new
    lexer.lex_string(code)
    lexer.fullscan.filter_map do |name, value|
      next unless name && value.length.positive?
      next if value.locator.is_a?(Puppet::Pops::Parser::Locator::SubLocator)

      [name.to_s, value.offset, value.length]
    end
  end

  def notation(program)
    Puppet::Pops::Model::PNTransformer.transform(program)
  end

  def evaluating_parser(mode)
    kind = Puppet::Pops::Parser::EvaluatingParser
    mode == 'epp' ? kind::EvaluatingEppParser.new : kind.new
  end

  def raised(error)
    code = error.respond_to?(:issue_code) && error.issue_code
    # Puppet's own `to_s` appends the place to the message.
    message = Exception.instance_method(:to_s).bind_call(error)
    issue(code || UNCODED, 'error', message, error.line, error.pos)
  end

  def crashed(error)
    issue("CRASH:#{error.class}", 'error', error.message.to_s.lines.first.to_s.chomp, nil, nil)
  end

  def logged(message)
    issue(message.issue_code || UNCODED, message.level.to_s, message.message, message.line, message.pos)
  end

  def diagnosed(diagnostic)
    place = diagnostic.source_pos
    text = diagnostic.issue.format(diagnostic.arguments)
    issue(diagnostic.issue.issue_code, diagnostic.severity.to_s, text, place&.line, place&.pos)
  end

  def issue(code, severity, message, line, column)
    { code: code.to_s, severity: severity, message: message, line: line, column: column }
  end
end

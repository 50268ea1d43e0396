# frozen_string_literal: true

# Records what the reference says about programs: fills the results in the chapters under tests/evaluation in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/programs.rb tests/evaluation/*.md
#
# The chapters' own README describes the notation. Programs run in a node whose facts are those of
# tests/evaluation/facts.json, with the modules under tests/evaluation/modules.

require_relative 'reference'

# Runs programs.
class Programs
  include Puppet::Pops

  ARROW = ' → '
  # Opens what marotte gives instead, which stays.
  REMARK = ' ⚑ '
  # What the reference says about a place after a message.
  PLACE = /\s*\((?:file: [^)]*|line: \d+, column: \d+|file & line not available)\)\z/
  # An address in memory (numbers in messages have signs), and the place of what is there in the reference's files.
  ADDRESS = %r{(?<![+-])0x\h{16}(?: /[^\s>]+:\d+)?}
  FOLDER = File.expand_path('../../tests/evaluation', __dir__)

  def initialize
    @facts = JSON.parse(File.read(File.join(FOLDER, 'facts.json')))
    @log = Puppet::Util::Log.desttypes.fetch(:marotte_oracle).messages
    @settings = {}
  end

  # The chapter with all results filled in.
  def fill(chapter)
    out = []
    lines = chapter.lines(chomp: true)
    until lines.empty?
      line = lines.shift
      out << line
      case line
      when '```rows' then fill_rows(lines, out)
      when '```puppet' then fill_program(lines, out)
      when /\A<!-- settings: (.*) -->\z/ then @settings = $1.split(',').to_h { |it| it.strip.split('=') }
      end
    end
    out.join("\n") << "\n"
  end

  private

  def fill_rows(lines, out)
    until lines.first.nil? || lines.first == '```'
      line = lines.shift
      if line.empty? || line.start_with?('#')
        out << line
      else
        line, remark, own = line.partition(REMARK)
        question = line.include?(ARROW) ? line.rpartition(ARROW).first : line
        out << "#{question}#{ARROW}#{placeless_result(question.gsub('⏎', "\n")).join(' · ')}#{remark}#{own}"
      end
    end
  end

  def fill_program(lines, out)
    program = []
    program << lines.shift until lines.first == '```' || lines.empty?
    out.concat(program) << lines.shift
    replace_result(lines, out, placeless_result(program.join("\n")))
  end

  # Puts a result in place of the recorded one, if there is one.
  def replace_result(lines, out, result)
    lines.shift while lines.first == ''
    if lines.first == '```result'
      lines.shift until lines.first == '```'
      lines.shift
    end
    out.push('', '```result', *result, '```')
  end

  # The result, the same wherever the chapters are.
  def placeless_result(code)
    result(code).map { |it| it.gsub(FOLDER, '‹chapters›') }
  end

  # The logs, then the value or the error.
  def result(code)
    @log.clear
    # What is warned of once is warned of once in each program.
    $unique_warnings = nil # rubocop:disable Style/GlobalVars -- Puppet's own
    in_new_session do |parser, scope|
      program = begin
        parser.parse_string(code)
      rescue Puppet::ParseError
        # What is refused so is recorded under tests/language.
        return ['✗ refused when it is read']
      end
      loaders = Puppet.lookup(:loaders)
      loaders.instantiate_definitions(program, loaders.public_environment_loader)
      value = parser.evaluate(scope, program)
      logs << text(value)
    end
  rescue Puppet::Error, ArgumentError, RegexpError, StopIteration => e
    logs << "✗ #{message(e)}"
  rescue SystemStackError, NameError, TypeError, Evaluator::Jumper, UncaughtThrowError => e
    logs << "✗ CRASH #{e.class}"
  end

  # Forgets what programs before have left, and sets the settings.
  def prepare
    # The formatter forgets to leave the last set of types that it wrote, and the content of the last type in it.
    Types::TypeFormatter.singleton.instance_variable_set(:@type_set, nil)
    Types::TypeFormatter.singleton.instance_variable_set(:@expanded, false)
    Puppet::Util::Log.level = :debug
    Puppet[:strict] = @settings.fetch('strict', 'error').to_sym
    Puppet[:strict_variables] = @settings.fetch('strict_variables', 'true') == 'true'
  end

  def node_in(environment)
    facts = Puppet::Node::Facts.new('node.example.com', @facts)
    node = Puppet::Node.new('node.example.com', facts: facts, environment: environment)
    node.merge(@facts)
    node
  end

  def in_top_scope(compiler)
    compiler.send(:set_node_parameters)
    Puppet.override(compiler.context_overrides) do
      Puppet.override(global_scope: compiler.topscope) { yield Parser::EvaluatingParser.new, compiler.topscope }
    end
  end

  def in_new_session(&program)
    prepare
    # What a program defines belongs to its environment.
    @environment = Puppet::Node::Environment.create(:oracle, [File.join(FOLDER, 'modules')])
    compiler = Puppet::Parser::Compiler.new(node_in(@environment))
    environments = Puppet::Environments::Static.new(@environment)
    Puppet.override(loaders: Loaders.new(@environment), current_environment: @environment, environments: environments) do
      # Only the loaders of a compiler see the modules.
      compiler.instance_variable_set(:@loaders, Puppet.lookup(:loaders)) if compiler.instance_variable_defined?(:@loaders)
      in_top_scope(compiler, &program)
    end
  end

  # What programs log, and what they are warned of: what Puppet says of its own work is left out.
  def logs
    is_own = ->(it) { it.source.to_s.start_with?('Scope(') && !it.message.match?(/\ARetrieving (?:epp )?template /) }
    own = @log.select { |it| !%i[debug info].include?(it.level) || is_own.call(it) }
    own.map { |it| "#{it.level}: #{it.message.to_s.sub(PLACE, '').gsub("\n", '⏎')}" }
  end

  def text(value)
    Types::TypeFormatter.singleton.string(value).gsub(ADDRESS, '0x…').gsub("\n", '⏎')
  end

  def message(error)
    # Addresses of objects are others each time.
    Reference.message(error).gsub(ADDRESS, '0x…').gsub("\n", '⏎')
  end
end

if $PROGRAM_NAME == __FILE__
  Reference.session do
    ARGV.each do |path|
      chapter = File.read(path, encoding: 'UTF-8')
      File.write(path, Programs.new.fill(chapter))
    end
  end
end

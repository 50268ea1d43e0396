# frozen_string_literal: true

# Records what the reference says about values and types: fills the answers of the rows under tests/values in.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/types.rb tests/values/{types,operators,mismatch}/*.md
#
# The READMEs beside the pages describe the rows. Where the reference names classes of its platform in messages, the names of
# types are recorded; where they show a regular expression that calls a group, the group is written out.

require_relative 'reference'

# Messages show values as the language writes them.
Puppet::Pops::Issues::NOT_NUMERIC.instance_variable_set(
  :@message_block,
  proc do
    plain = value.nil? || value.is_a?(String) || value.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive)
    shown = plain ? value.to_s : Puppet::Pops::Types::TypeFormatter.singleton.string(value)
    "The value '#{shown}' cannot be converted to Numeric."
  end
)

# Answers rows.
class Rows
  include Puppet::Pops

  ARROW = ' → '
  FENCE = /\A```/

  def initialize
    @parser = Parser::EvaluatingParser.new
    @loader = Puppet.lookup(:loaders).private_environment_loader
    compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('oracle', environment: Puppet.lookup(:current_environment)))
    @scope = compiler.topscope
    Puppet.push_context({ global_scope: @scope }, 'oracle')
    @calculator = Types::TypeCalculator.singleton
  end

  # The page with all answers filled in.
  def fill(page)
    declare(page)
    in_rows = false
    page.lines(chomp: true).map do |line|
      if line.match?(FENCE)
        in_rows = line == '```rows'
        line
      elsif in_rows && !line.empty? && !line.start_with?('type ', '#')
        question = line.rpartition(ARROW).then { |before, arrow, after| arrow.empty? ? after : before }
        "#{question}#{ARROW}#{answer(question)}"
      else
        line
      end
    end.join("\n") << "\n"
  end

  private

  # Makes the aliases of a page known, then resolves them, since they may need each other.
  def declare(page)
    aliases = page.lines(chomp: true).grep(/\Atype /).map do |line|
      definition = @parser.parse_string(line).body
      definition = definition.statements.first if definition.is_a?(Model::BlockExpression)
      type = Loader::TypeDefinitionInstantiator.create_type(definition.name, definition.type_expr, Pcore::RUNTIME_NAME_AUTHORITY)
      @loader.set_entry(Loader::TypedName.new(:type, definition.name), type)
      type
    end
    # Resolving one resolves those that it needs; the reference breaks down if it is asked again.
    aliases.each { |type| type.resolve(@loader) unless type.instance_variable_get(:@resolved_type) }
  end

  def answer(question)
    case question
    when /\A(.*) ∌ (.*)\z/ then rejection { Types::TypeAsserter.assert_instance_of('x', value($1), value($2)) }
    when /\A(.*) ⊉ (.*)\z/ then sentences(describer.describe_mismatch('x', value($1), value($2)))
    when /\A(.*) rejects (.*)\z/ then signatures($1, $2)
    when /\A(.*) as parameters of (.*)\z/ then parameters(value($1), value($2), false)
    when /\A(.*) as some parameters of (.*)\z/ then parameters(value($1), value($2), true)
    when /\A(.*) as default of (.*)\z/ then default(value($1), value($2))
    when /\A(off|warning): (.*)\z/ then strictly($1, $2)
    when /\Acaptures (.*)\z/ then text(value("[(#{$1}), $0, $1, $2]"))
    when /\A(.*) ≈ (.*)\z/ then text(value("(#{$1}) ? { #{$2} => [true, $0, $1, $2], default => [false, $0, $1, $2] }"))
    when /\A(.*) ∪ (.*)\z/ then text(@calculator.common_type(value($1), value($2)))
    when /\A(.*) ⊇ (.*)\z/ then truth(@calculator.assignable?(value($1), value($2)))
    when /\A(.*) ∈ (.*)\z/ then truth(@calculator.instance?(value($2), value($1)))
    when /\Ageneralize (.*)\z/ then text(value($1).generalize)
    when /\Anormalize (.*)\z/ then text(value($1).normalize)
    when /\Aexpand (.*)\z/ then value($1).to_alias_expanded_s
    when /\Aiterate (.*)\z/ then iterate(value($1))
    when /\A(.*) calls (.*)\z/ then truth(value($1).callable?(value($2)))
    when / == / then truth(value(question))
    else text(value(question))
    end
  rescue Puppet::Error, ArgumentError, RegexpError => e
    "✗ #{Reference.message(e).gsub("\n", '⏎')}"
  rescue SystemStackError, NameError, TypeError => e
    "✗ CRASH #{e.class}"
  end

  Signature = Struct.new(:type, :parameter_names, :block_name) do
    def block_type
      type.block_type
    end
  end

  def describer
    Types::TypeMismatchDescriber.singleton
  end

  # Sentences on one line; none at all means that nothing is wrong.
  def sentences(text)
    text.empty? ? 'fits' : text.gsub("\n", '⏎')
  end

  def rejection
    yield
    'fits'
  rescue Types::TypeAssertionError, Puppet::ParseError => e
    sentences(Exception.instance_method(:to_s).bind_call(e))
  end

  # Callables, separated by bars, called with an array of values, or with a type of arguments and block.
  def signatures(callables, arguments)
    arguments = value(arguments)
    arguments = @calculator.infer_set(arguments) unless arguments.is_a?(Types::PAnyType)
    signatures = callables.split(' | ').map do |callable|
      type = value(callable)
      count = type.param_types.nil? ? 0 : type.param_types.types.size
      Signature.new(type, ('a'..'z').first(count), 'block')
    end
    return 'fits' if signatures.any? { |signature| @calculator.callable?(signature.type, arguments) }

    sentences(describer.describe_signatures('f', signatures, arguments))
  end

  def parameters(given, struct, missing_ok)
    rejection { describer.validate_parameters('C', struct, given, missing_ok) }
  end

  def default(given, type)
    rejection { describer.validate_default_parameter('C', 'a', type, given) }
  end

  # The value where `strict` is not `error`, and the warnings.
  def strictly(strict, source)
    log = Puppet::Util::Log.desttypes.fetch(:marotte_oracle).messages
    log.clear
    Puppet[:strict] = strict
    [text(value(source)), *log.map { |warning| "⚠ #{warning.message}" }].join(' ')
  ensure
    Puppet[:strict] = :error
  end

  def iterate(type)
    return 'no' unless type.iterable?

    element = type.iterable_type&.element_type
    element.nil? ? 'anything' : text(element)
  end

  def truth(answer)
    answer ? 'true' : 'false'
  end

  def value(source)
    # Match variables of other rows must not be seen.
    @scope.with_guarded_scope { @parser.evaluate_string(@scope, source) }
  end

  def text(value)
    Types::TypeFormatter.singleton.string(value)
  end
end

ARGV.each do |path|
  # Aliases belong to a page, and settings to a process.
  page = fork do
    Reference.session do
      page = File.read(path, encoding: 'UTF-8')
      File.write(path, Rows.new.fill(page))
    end
  end
  Process.wait(page)
  abort "#{path} can't be recorded" unless $?.success?
end

# frozen_string_literal: true

# Asks the reference about every pair of the types in tests/oracle/types/types.txt, and about every value in values.txt
# with every type.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/cross.rb           records both
#   … ruby xtask/oracle/cross.rb 'Integer[1, 2]'                             prints the common types of this one and all
#
# docs/oracle.md describes the records.

require_relative 'reference'

# Answers about pairs.
class Cross
  include Puppet::Pops

  FOLDER = File.expand_path('../../tests/oracle/types', __dir__)

  def initialize
    @parser = Parser::EvaluatingParser.new
    @loader = Puppet.lookup(:loaders).private_environment_loader
    compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('oracle', environment: Puppet.lookup(:current_environment)))
    @scope = compiler.topscope
    Puppet.push_context({ global_scope: @scope }, 'oracle')
    @calculator = Types::TypeCalculator.singleton
    declare(lines('types.txt').grep(/\Atype /))
    @sources = pool('types.txt')
    @types = @sources.map { |source| value(source) }
    @crashes = []
  end

  def record
    write('pairs.tsv', "type\taccepts\tequal\tcommon", @sources.zip(@types).map { |source, type| pairs(source, type) })
    write('values.tsv', "value\treduced\tdetailed\tinstance\tinterpolated\tstring\tprogrammatic",
          pool('values.txt').map { |source| about_value(source, value(source)) })
    write('crashes.tsv', "a\toperation\tb\tclass", @crashes)
  end

  # What one type has in common with all, as rows.
  def common(source)
    type = value(source)
    @sources.zip(@types).map { |other, it| "#{source} ∪ #{other} → #{text(@calculator.common_type(type, it))}" }
  end

  private

  def lines(name)
    File.read(File.join(FOLDER, name), encoding: 'UTF-8').lines(chomp: true)
  end

  def pool(name)
    lines(name).reject { |line| line.empty? || line.start_with?('#', 'type ') }
  end

  def write(name, columns, rows)
    head = "# Recorded by `cargo xtask oracle types`; docs/oracle.md describes the columns.\n# puppet #{Reference.version}\n"
    File.write(File.join(FOLDER, name), "#{head}#{columns}\n#{rows.join("\n")}\n")
    puts "#{name}: #{rows.size} rows"
  end

  def declare(aliases)
    types = aliases.map do |line|
      definition = @parser.parse_string(line).body
      definition = definition.statements.first if definition.is_a?(Model::BlockExpression)
      type = Loader::TypeDefinitionInstantiator.create_type(definition.name, definition.type_expr, Pcore::RUNTIME_NAME_AUTHORITY)
      @loader.set_entry(Loader::TypedName.new(:type, definition.name), type)
      type
    end
    types.each { |type| type.resolve(@loader) unless type.instance_variable_get(:@resolved_type) }
  end

  def pairs(source, type)
    accepts = bits(with_each(source, '⊇') { |other| @calculator.assignable?(type, other) })
    equal = bits(with_each(source, '==') { |other| @calculator.equals(type, other) })
    common = with_each(source, '∪') { |other| text(@calculator.common_type(type, other)) }
    [source, accepts, equal, Digest::SHA256.hexdigest(common.join("\n"))[0, 16]].join("\t")
  end

  def about_value(source, value)
    instance = bits(with_each(source, '∈') { |type| @calculator.instance?(type, value) })
    [source, string { text(@calculator.infer(value)) }, string { text(@calculator.infer_set(value)) }, instance,
     string { interpolated(value) }, string { converted(value) }, string { converted(value, '%p') }].join("\t")
  end

  # Four answers a digit, the first the most significant bit.
  def bits(answers)
    answers.each_slice(4).map { |four| (four + [false] * (4 - four.size)).reduce(0) { |sum, it| (sum << 1) + (it ? 1 : 0) }.to_s(16) }.join
  end

  # What a block says of each type. Where it breaks down, the answer is nil, and so false.
  def with_each(source, operation)
    @sources.zip(@types).map do |other, type|
      yield type
    rescue SystemStackError, StandardError => e
      @crashes << [source, operation, other, e.class].join("\t")
      nil
    end
  end

  # A text; addresses of Ruby's objects in it are left out.
  def string
    JSON.generate(yield.gsub(/:0x\h{16}/, ''))
  rescue SystemStackError, StandardError => e
    "✗ #{e.class}"
  end

  def interpolated(value)
    Evaluator::EvaluatorImpl.new.string(value, @scope)
  end

  def converted(value, *format)
    Types::StringConverter.convert(value, *(format.empty? ? [:default] : format))
  end

  def value(source)
    @parser.evaluate_string(@scope, source)
  end

  def text(value)
    Types::TypeFormatter.singleton.string(value)
  end
end

Reference.session do
  cross = Cross.new
  ARGV.empty? ? cross.record : puts(cross.common(ARGV.first))
end

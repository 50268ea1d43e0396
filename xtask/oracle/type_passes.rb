# frozen_string_literal: true

# Times what `cargo xtask bench types` times: reads its cases from standard input as JSON, and prints the seconds that
# each takes once. `type-passes` of xtask is the same for marotte.

require_relative 'reference'

# Times cases.
class Passes
  include Puppet::Pops

  # Seconds that one sample takes at least.
  SAMPLE = 0.02
  SAMPLES = 7

  def initialize
    @parser = Parser::EvaluatingParser.new
    compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('oracle', environment: Puppet.lookup(:current_environment)))
    @scope = compiler.topscope
    Puppet.push_context({ global_scope: @scope }, 'oracle')
    @calculator = Types::TypeCalculator.singleton
    @converter = Types::StringConverter.singleton
    @evaluator = Evaluator::EvaluatorImpl.new
    @new = Puppet.lookup(:loaders).private_environment_loader.load(:function, 'new')
  end

  def seconds(pass)
    work = work(pass['operation'], @parser.evaluate_string(@scope, pass['source'], __FILE__))
    work.call
    count = 1
    count *= 2 while timed(count, work) < SAMPLE
    samples = Array.new(SAMPLES) { timed(count, work) / count }
    samples.sort[SAMPLES / 2]
  end

  private

  def timed(count, work)
    start = processor_time
    count.times { work.call }
    processor_time - start
  end

  # What this process has used: other work on the machine does not count.
  def processor_time
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  end

  def work(operation, values)
    first, second = values
    case operation
    when 'assignable' then -> { @calculator.assignable?(first, second) }
    when 'instance' then -> { @calculator.instance?(first, second) }
    when 'common' then -> { @calculator.common_type(first, second) }
    when 'infer' then -> { @calculator.infer(first) }
    when 'convert' then -> { @new.call(@scope, *values) }
    when 'format' then -> { values.each { |it| @converter.convert(it, :default) } }
    when 'format_by' then -> { values.drop(1).each { |it| @converter.convert(it, first) } }
    when 'interpolate' then -> { values.each { |it| @evaluator.string(it, @scope) } }
    else raise ArgumentError, operation
    end
  end
end

Reference.session do
  passes = Passes.new
  puts JSON.generate(JSON.parse($stdin.read).map { |pass| passes.seconds(pass) })
end

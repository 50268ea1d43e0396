# frozen_string_literal: true

# Measures how long the reference takes for templates and functions in Ruby, and for sites, in a process that is warm: `cargo xtask bench ruby` runs this.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/ruby_speed.rb RUNS REPEAT < WORK
#
# WORK has `templates` (a path and variables), `functions` (expressions) and `sites` (a manifest and the name of facts). Prints a JSON object with the seconds of each, the shortest of so many runs, `null` for what fails.
# Of a template, only `ERB#result` is measured: the ERB object exists, and the variables are set.
require_relative 'scenarios/reference'

# The surroundings of a template, without local variables of others.
class Puppet::Parser::TemplateWrapper
  def own_binding = binding
end

# Runs and looks at the clock.
class Speed
  def initialize(runs, repeat)
    @runs = runs
    @repeat = repeat
    @environment = KeptEnvironment.new({}).environment
  end

  def template(path, variables)
    inside do |compiler|
      variables.each { |name, value| compiler.topscope.setvar(name, value) }
      wrapper = Puppet::Parser::TemplateWrapper.new(compiler.topscope)
      wrapper.file = path
      # Sets the variables.
      text = wrapper.result
      erb = Puppet::Util.create_erb(File.read(path, encoding: 'UTF-8'))
      erb.filename = path
      own = wrapper.own_binding
      [text, least { erb.result(own) }]
    end
  end

  def function(expression)
    inside do |compiler|
      parser = Puppet::Pops::Parser::EvaluatingParser.new
      program = parser.parse_string(expression)
      value = parser.evaluate(compiler.topscope, program)
      [(value if value.is_a?(String)), least { parser.evaluate(compiler.topscope, program) }]
    end
  end

  # Processor time, in an environment that has read the code.
  def site(manifest, facts)
    values = facts_of(facts)
    environment = Puppet::Node::Environment.create(:production, [MODULES], manifest)
    Object.send(:compile, values, environment)
    times = Array.new(@runs) do
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      Object.send(:compile, values, environment)
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    end
    times.min
  end

  private

  def inside
    compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('node1.example.com', environment: @environment))
    context = { environments: Puppet::Environments::Static.new(@environment), global_scope: compiler.topscope }.merge(compiler.context_overrides)
    Puppet.override(context) { yield compiler }
  end

  # The seconds of one call, in the fastest run.
  def least(&call)
    @repeat.times(&call)
    times = Array.new(@runs) do
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @repeat.times(&call)
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    end
    times.min / @repeat
  end
end

def attempt
  yield
rescue StandardError, ScriptError, SystemStackError
  nil
end

runs, repeat = ARGV.map { |it| Integer(it) }
work = JSON.parse($stdin.read)
speed = Speed.new(runs, repeat)
puts JSON.generate(
  templates: work['templates'].map { |it| attempt { speed.template(it['path'], it['variables']) } },
  functions: work['functions'].map { |it| attempt { speed.function(it) } },
  sites: work['sites'].map { |it| attempt { [nil, speed.site(it['manifest'], it['facts'])] } }
)

# frozen_string_literal: true

# Measures how long the reference takes for programs, in a process that is warm: `cargo xtask bench eval` runs this.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/speed.rb RUNS FILE...
#
# Prints a JSON object: for each file its value as text, and the seconds of each run. Reading the program is not counted.

require_relative 'programs'

# Runs programs and looks at the clock.
class Speed < Programs
  def measure(code, runs)
    # One run more, to be warm.
    times = Array.new(runs + 1) { run_once(code) }
    { value: times.last.first, seconds: times.drop(1).map(&:last) }
  end

  private

  def run_once(code)
    in_new_session do |parser, scope|
      program = parser.parse_string(code)
      loaders = Puppet.lookup(:loaders)
      loaders.instantiate_definitions(program, loaders.public_environment_loader)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      value = parser.evaluate(scope, program)
      [value.to_s, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start]
    end
  end
end

Reference.session do
  runs = Integer(ARGV.shift)
  puts JSON.dump(ARGV.to_h { |path| [File.basename(path, '.pp'), Speed.new.measure(File.read(path), runs)] })
end

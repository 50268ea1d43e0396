# frozen_string_literal: true

# Fills the last column of tests/values/dialects/delta.md in: what the reference answers.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/delta.rb

require_relative 'answers'

path = File.expand_path('../../tests/values/dialects/delta.md', __dir__)
lines = File.read(path, encoding: 'UTF-8').lines(chomp: true)
question = ->(line) { line[/\A\| X\d+ \| [^|]* \| `([^`]*)` /, 1] }

programs, rows = lines.filter_map(&question).partition { |it| it.start_with?('run ') }
programs = answers('programs.rb', programs.map { |it| it.delete_prefix('run ') })
rows = answers('types.rb', rows)
filled = lines.map do |line|
  asked = question.call(line) or next line

  answer = (asked.start_with?('run ') ? programs : rows).shift
  line.sub(/`[^`]*` \|\z/) { "`#{answer.sub(/\A✗.*/, '✗')}` |" }
end
File.write(path, filled.join("\n") << "\n")

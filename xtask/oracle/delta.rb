# frozen_string_literal: true

# Fills the last column of tests/values/dialects/delta.md in: what the reference answers.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/delta.rb

require_relative 'answers'

path = File.expand_path('../../tests/values/dialects/delta.md', __dir__)
lines = File.read(path, encoding: 'UTF-8').lines(chomp: true)
question = ->(line) { line[/\A\| X\d+ \| [^|]* \| `([^`]*)` /, 1] }

asked = lines.filter_map(&question).group_by { |it| it[/\A(?:run|compile) /] }
answered = { 'run ' => 'programs.rb', 'compile ' => 'catalogs.rb', nil => 'types.rb' }.to_h do |prefix, recorder|
  [prefix, answers(recorder, asked.fetch(prefix, []).map { |it| it.delete_prefix(prefix.to_s) })]
end
filled = lines.map do |line|
  asked = question.call(line) or next line

  answer = answered[asked[/\A(?:run|compile) /]].shift
  answer = brief(answer) if asked.start_with?('compile ')
  line.sub(/`[^`]*` \|\z/) { "`#{answer.sub(/\A✗.*/, '✗')}` |" }
end
File.write(path, filled.join("\n") << "\n")

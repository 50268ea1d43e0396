# frozen_string_literal: true

# Fills the last column of tests/values/dialects/delta.md in: what the reference answers.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/delta.rb

require 'English'
require 'tempfile'

path = File.expand_path('../../tests/values/dialects/delta.md', __dir__)
lines = File.read(path, encoding: 'UTF-8').lines(chomp: true)
question = ->(line) { line[/\A\| X\d+ \| [^|]* \| `([^`]*)` /, 1] }

Tempfile.create('rows') do |rows|
  rows.write("```rows\n#{lines.filter_map(&question).join("\n")}\n```\n")
  rows.close
  system('ruby', File.join(__dir__, 'types.rb'), rows.path) or exit($CHILD_STATUS.exitstatus)
  answers = File.read(rows.path, encoding: 'UTF-8').lines(chomp: true)[1..-2].map { |row| row.rpartition(' → ').last }
  filled = lines.map do |line|
    question.call(line) ? line.sub(/`[^`]*` \|\z/) { "`#{answers.shift.sub(/\A✗.*/, '✗')}` |" } : line
  end
  File.write(path, filled.join("\n") << "\n")
end

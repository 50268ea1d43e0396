# frozen_string_literal: true

# What recorders of rows answer, for pages with a notation of their own.

require 'English'
require 'tempfile'

# The answers of a recorder (`types.rb`, `programs.rb`) to questions, in order.
def answers(recorder, questions)
  Tempfile.create('rows') do |rows|
    rows.write("```rows\n#{questions.join("\n")}\n```\n")
    rows.close
    system('ruby', File.join(__dir__, recorder), rows.path) or exit($CHILD_STATUS.exitstatus)
    File.read(rows.path, encoding: 'UTF-8').lines(chomp: true)[1..-2].map { |row| row.rpartition(' → ').last }
  end
end

# A catalog's messages and resources, without what all have.
def brief(catalog)
  catalog.split(' · ').reject { |it| it.start_with?('tags ', 'classes ', 'Class[main] ') }.map { |it| it.sub(/ tags \S+/, '') }.join(' · ')
end

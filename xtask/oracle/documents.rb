# frozen_string_literal: true

# Asks the reference every row of the documents under tests/values/documents, writes its answer behind those that it answers
# otherwise than the document says, and makes the tables of sections in the folders' READMEs.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/documents.rb
#
# A difference without a reason ends in `— ?`: the reason is written by hand, and stays when the row is recorded again.

require_relative 'answers'

ARROW = ' → '
# Opens a line that quotes what the rows below it test.
QUOTE = '> '
ABOUT_TYPES = / [∪⊇∈] | calls /
FOLDER = File.expand_path('../../tests/values/documents', __dir__)

# A row of a page: the number of its line, the question, what the document says, and why the reference says something else.
Row = Struct.new(:page, :number, :question, :document, :written, :reason, :reference)

def rows(page)
  in_rows = false
  File.readlines(page, chomp: true, encoding: 'UTF-8').each_with_index.filter_map do |line, number|
    in_rows = line == '```rows' if line.start_with?('```')
    next if !in_rows || line.empty? || line.start_with?('```', QUOTE)

    row, _, remark = line.rpartition(' ⚑ ')
    row, remark = line, nil if row.empty?
    question, _, document = row.rpartition(ARROW)
    written, _, reason = (remark || '').rpartition(' — ')
    Row.new(page, number, question, document, written, reason.empty? ? '?' : reason)
  end
end

def write(page, rows)
  lines = File.readlines(page, chomp: true, encoding: 'UTF-8')
  rows.each do |row|
    differs = row.reference == row.document ? '' : " ⚑ #{row.reference} — #{row.reason}"
    lines[row.number] = "#{row.question}#{ARROW}#{row.document}#{differs}"
  end
  File.write(page, lines.join("\n") << "\n")
end

# The table of a document's sections: how many rows each has, and what of it has none.
def table(pages)
  sections = []
  in_rows = false
  pages.flat_map { |page| File.readlines(page, chomp: true, encoding: 'UTF-8') }.each do |line|
    case line
    when /\A```/ then in_rows = line == '```rows'
    when /\A## (.*)/ then in_rows or sections << [$1, 0, '']
    when /\ANot executed: (.*)/ then sections.last[2] = $1
    else sections.last[1] += 1 if in_rows && !line.empty? && !line.start_with?(QUOTE)
    end
  end
  ['| Section | Rows | Not executed |', '|---|---|---|', *sections.map { |it| "| #{it.join(' | ')} |" }].join("\n") << "\n"
end

documents = Dir[File.join(FOLDER, '*/')].to_h { |folder| [folder, Dir[File.join(folder, '[0-9]*.md')].sort] }
all = documents.values.flatten.flat_map { |page| rows(page) }
compiled, evaluated = all.partition { |row| row.question.start_with?('compile ') }
types, programs = evaluated.partition { |row| row.question.match?(ABOUT_TYPES) }
{ 'types.rb' => types, 'programs.rb' => programs, 'catalogs.rb' => compiled }.each do |recorder, asked|
  asked.zip(answers(recorder, asked.map { |row| row.question.delete_prefix('compile ') })) do |row, answer|
    answer = brief(answer) if row.question.start_with?('compile ')
    # What shows an address in memory is written by hand: marotte's own answer.
    # Where the reference breaks down, and marotte does not, that is said by hand, too.
    next row.reference = 'CRASH' if row.written == 'CRASH' && answer.include?('✗')

    row.reference = answer.include?('0x…') ? row.written : answer.sub(/(\A| · )✗.*/m, '\1✗')
  end
end
all.group_by(&:page).each { |page, rows| write(page, rows) }
documents.each do |folder, pages|
  readme = File.join(folder, 'README.md')
  introduction = File.read(readme, encoding: 'UTF-8').partition('| Section |').first
  File.write(readme, introduction + table(pages))
end

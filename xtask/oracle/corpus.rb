# frozen_string_literal: true

# Asks the reference about every manifest and template of a corpus.
#
# Usage: ruby corpus.rb FOLDER < PATHS    (one path a line, relative to FOLDER)
#
# Writes one line of tab-separated columns for each path:
#   path, what parsing says, what validation says (ok or the first issue's code), all findings as CODE:LINE:COLUMN
#   separated by blanks, SHA-256 of the JSON dump without validation. A column without a value holds `-`.

require_relative 'reference'
require 'puppet/face'

# The command line goes another way (environments, import of the definitions); both must say the same.
def command_accepts?(file, mode)
  if mode == 'epp'
    Puppet::Face[:epp, :current].validate_template(file)
  else
    Puppet::Face[:parser, :current].validate_manifest(file).nil?
  end
end

def place(issue)
  [issue[:code], issue[:line] || '-', issue[:column] || '-'].join(':')
end

def row(folder, path)
  file = File.join(folder, path)
  mode = path.end_with?('.epp') ? 'epp' : 'pp'
  answer = Reference.ask(File.read(file, encoding: 'UTF-8'), mode: mode, file: file)
  verdict = answer.errors.empty? ? 'ok' : answer.errors.first[:code]
  parsed = answer.program ? 'ok' : verdict
  if (verdict == 'ok') != command_accepts?(file, mode)
    abort "#{path}: the parser says #{verdict}, the command line disagrees"
  end
  findings = (answer.errors + answer.warnings).map { |issue| place(issue) }
  digest = answer.program && Digest::SHA256.hexdigest(Reference.json(answer.program))
  [path, parsed, verdict, findings.empty? ? '-' : findings.join(' '), digest || '-'].join("\t")
end

Reference.session do
  puts Reference.version
  $stdin.each_line(chomp: true) { |path| puts row(ARGV.fetch(0), path) }
end

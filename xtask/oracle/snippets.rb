# frozen_string_literal: true

# Asks the reference about many texts in one process.
#
# Reads JSON lines  {"id": …, "code": "…", "mode": "pp" | "epp" | "tasks"}  ("mode" may be missing: pp)
# and writes one JSON line for each:
#
#   {"id", "verdict": "ok" | "error" | "crash", "issues": [ISSUE…], "warnings": [ISSUE…], "pn", "json"}
#   ISSUE = {"code", "severity": "error" | "warning" | "deprecation", "message", "line", "column"}
#
# `pn` and `json` are the dumps without validation, present when the text parses, null otherwise.
# Warnings of the lexer (UNRECOGNIZED_ESCAPE, …) come first, then those of validation. An answer that could not be
# computed has the verdict "crash" and the Ruby error as an issue with the code CRASH:CLASS.

require_relative 'reference'

def answer(request)
  answer = Reference.ask(request.fetch('code'), mode: request.fetch('mode', 'pp'))
  { verdict: answer.verdict, issues: answer.errors, warnings: answer.warnings,
    pn: answer.program && Reference.pn(answer.program), json: answer.program && Reference.json(answer.program) }
rescue StandardError, SystemStackError => e
  { verdict: 'crash', issues: [Reference.crashed(e)], warnings: [], pn: nil, json: nil }
end

$stdin.set_encoding('UTF-8')
$stdout.set_encoding('UTF-8')
$stdout.sync = true
Reference.session do
  $stdin.each_line do |line|
    next if line.strip.empty?

    request = JSON.parse(line)
    $stdout.puts(JSON.generate({ id: request['id'] }.merge(answer(request))))
  end
end

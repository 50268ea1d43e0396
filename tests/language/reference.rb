# frozen_string_literal: true

# Asks the reference about the examples of the chapters; `cargo run -p marotte_tests --bin record` runs it.
#
# Reads JSON lines {"id", "code", "mode": "pp" | "epp" | "tasks"} and writes one JSON line for each:
# {"id", "verdict": "ok" | "error" | "crash", "issues", "warnings", "pn"}. `pn` is null where there is no tree, and where
# the reference cannot print it: its printer knows neither `*$rest` parameters nor `apply`.

require_relative '../../xtask/oracle/reference'

unless Reference.version.start_with?('8.')
  abort "The chapters hold the answers of Puppet 8; this is #{Reference.version}. PUPPET_LIB names a `lib` folder to use."
end

def printed(program)
  program && Reference.pn(program)
rescue StandardError
  nil
end

$stdin.set_encoding('UTF-8')
$stdout.set_encoding('UTF-8')
$stdout.sync = true
Reference.session do
  $stdin.each_line do |line|
    request = JSON.parse(line)
    answer = Reference.ask(request.fetch('code'), mode: request.fetch('mode'))
    $stdout.puts(JSON.generate({ id: request['id'], verdict: answer.verdict, issues: answer.errors,
                                 warnings: answer.warnings, pn: printed(answer.program) }))
  end
end

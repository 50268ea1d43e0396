//! `marotte eval`.

mod json;

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db as _, DiskSystem, System as _};
use marotte_diagnostics::Level;
use marotte_eval::Interpreter;
use marotte_host::layout::environment_folder;
use marotte_host::{Findings, Source, read_program};
use marotte_pcore::print::literal_in;
use marotte_pcore::value::Value;

use crate::Status;
use crate::args::{EvalArgs, ValueFormat};
use crate::evaluation::{self, Logs, define_variables};
use crate::failure::Failure;
use crate::terminal::{print_exactly, print_json};
use crate::text::{ARGUMENT, STDIN, read_stdin};

/// Evaluates texts, a file or standard input.
pub(crate) fn run(args: &EvalArgs) -> Result<Status, Failure> {
    let file = args.file.as_deref().filter(|it| *it != "-");
    let disk = Arc::new(DiskSystem::new()?);
    let system = Arc::<DiskSystem>::clone(&disk);
    let facts = evaluation::facts(&args.evaluation, &*system)?;
    if let Some(file) = file.filter(|it| system.metadata(&system.absolute(it)).is_err()) {
        return Err(Failure::no_file(file));
    }
    let files: Vec<_> = file.iter().map(|it| system.absolute(it)).filter(|it| system.is_file(it)).collect();
    let environment = environment_folder(&*system, &system.absolute(file.unwrap_or(Utf8Path::new("."))));
    let context = evaluation::context(&args.evaluation, system, environment, files, facts)?;
    let settings = evaluation::settings(&args.evaluation);
    let color = args.evaluation.color.on_stderr();
    let mut logs = Logs::new(&args.evaluation, args.format, &context);
    let messages = logs.clone();
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings.clone(), &outside, &mut logs);
    if !define_variables(&args.evaluation, &context, &mut interpreter, color)? {
        return Ok(Status::Findings);
    }

    let stdin;
    let text = |name, text| Source::Text { name, text, template: false };
    let sources: Vec<Source<'_>> = match file {
        _ if !args.code.is_empty() => args.code.iter().map(|code| text(ARGUMENT, code)).collect(),
        Some(path) => vec![Source::File(path)],
        None if args.file.is_none() && io::stdin().is_terminal() => {
            let message = "there is nothing to evaluate: name a file, or give a text with `-e`; `marotte repl` reads what you type";
            return Err(Failure::Message(message.to_owned()));
        }
        None => {
            stdin = read_stdin()?;
            match &stdin {
                Ok(code) => vec![text(STDIN, code)],
                Err(mark) => vec![Source::Marked { name: STDIN, mark: *mark }],
            }
        }
    };

    let mut findings = Findings::new(&context);
    let mut value = Some(Value::Undef);
    for source in &sources {
        let unit = read_program(&context, &settings, source, &mut findings);
        let result = unit.map(|unit| interpreter.run_unit(&unit));
        value = match result {
            None => None,
            Some(Ok(value)) => Some(value),
            Some(Err(error)) => {
                findings.error(&error);
                None
            }
        };
        if value.is_none() {
            break;
        }
    }
    findings.loaded();
    evaluation::save(context.policy(), context.db().system(), &*disk)?;

    match args.format {
        ValueFormat::Json => {
            let told = json::object(value.as_ref(), &interpreter, &messages, &mut findings)?;
            print_json(&format!("{told:#}\n"))?;
        }
        ValueFormat::Text => {
            evaluation::show_with_hint(&args.evaluation, findings.diagnostics(), &findings)?;
            if let Some(value) = value.as_ref().filter(|_| args.print) {
                print_exactly(&format!("{}\n", literal_in(interpreter.dialect(), value)))?;
            }
        }
    }
    let failed = value.is_none() || findings.diagnostics().iter().any(|it| it.level == Level::Error);
    Ok(if failed { Status::Findings } else { Status::Clean })
}

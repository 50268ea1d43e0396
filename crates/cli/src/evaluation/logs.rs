use std::cell::RefCell;
use std::io::{self, Write as _};
use std::rc::Rc;

use marotte_diagnostics::output::Color;
use marotte_eval::{Effect, Effects, Level, Log};
use marotte_project::evaluation::{Findings, Surroundings};

use crate::args::{EvaluationArgs, ValueFormat};
use crate::terminal::styled;

/// What the reference calls the place of messages that a program logs outside of classes.
const SCOPE: &str = "Scope(Class[main])";

/// Takes what evaluation does to the outside: prints messages as Puppet words them, and keeps them if they are wanted
/// later. Clones share what is kept.
#[derive(Clone)]
pub(crate) struct Logs<'s> {
    shared: Rc<Shared<'s>>,
}

struct Shared<'s> {
    surroundings: &'s Surroundings,
    printing: Printing,
    kept: RefCell<Vec<Log>>,
    keep: bool,
}

/// How messages are printed.
#[derive(Clone, Copy)]
pub(crate) struct Printing {
    /// The quietest level that is printed; none prints nothing.
    least: Option<Level>,
    color: Color,
}

/// A message as people read it.
pub(crate) struct Shown {
    /// The message with its place.
    pub(crate) text: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
}

impl Printing {
    pub(crate) fn new(args: &EvaluationArgs, format: ValueFormat) -> Printing {
        let least = match format {
            ValueFormat::Json => None,
            ValueFormat::Text if args.debug => Some(Level::Debug),
            ValueFormat::Text if args.verbose => Some(Level::Info),
            ValueFormat::Text => Some(Level::Notice),
        };
        Printing { least, color: args.color.on_stderr() }
    }

    /// The line for a message; none if it is too quiet.
    pub(crate) fn line(self, log: &Log, findings: &mut Findings<'_>) -> Option<String> {
        self.least.filter(|least| log.level >= *least)?;
        let (name, style) = look(log.level);
        let line = format!("{name}: {}", Shown::new(log, findings).text);
        Some(if style.is_empty() { line } else { styled(self.color, style, &line) })
    }
}

impl Shown {
    /// A message with its place, as Puppet words them.
    pub(crate) fn new(log: &Log, findings: &mut Findings<'_>) -> Shown {
        let (file, line, column) = match log.place.as_ref().and_then(|place| findings.shown(place)) {
            Some(at) => (Some(at.file), Some(at.line), Some(at.column)),
            None => (None, None, None),
        };
        let text = match (log.issue, &file, line, column) {
            // What the program logs stands for itself.
            (None, ..) => format!("{SCOPE}: {}", log.message),
            // Texts that are no files have no names for the reference.
            (Some(_), Some(file), Some(line), Some(column)) if file.starts_with('<') => {
                format!("{} (line: {line}, column: {column})", log.message)
            }
            (Some(_), Some(file), Some(line), Some(column)) => {
                format!("{} (file: {file}, line: {line}, column: {column})", log.message)
            }
            (Some(_), ..) => log.message.clone(),
        };
        Shown { text, file, line, column }
    }
}

impl<'s> Logs<'s> {
    pub(crate) fn new(args: &EvaluationArgs, format: ValueFormat, surroundings: &'s Surroundings) -> Self {
        let printing = Printing::new(args, format);
        let keep = format == ValueFormat::Json;
        Logs { shared: Rc::new(Shared { surroundings, printing, kept: RefCell::default(), keep }) }
    }

    /// What was kept.
    pub(crate) fn take(&self) -> Vec<Log> {
        self.shared.kept.take()
    }
}

impl Effects for Logs<'_> {
    fn emit(&mut self, effect: Effect) {
        let Effect::Log(log) = effect;
        let mut findings = Findings::over(self.shared.surroundings.db());
        if let Some(line) = self.shared.printing.line(&log, &mut findings) {
            // Whoever reads has gone away: evaluation goes on for its value.
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
        if self.shared.keep {
            self.shared.kept.borrow_mut().push(log);
        }
    }
}

/// The word and the ANSI style of a level.
fn look(level: Level) -> (&'static str, &'static str) {
    match level {
        Level::Debug => ("Debug", "36"),
        Level::Info => ("Info", "32"),
        Level::Notice => ("Notice", ""),
        Level::Warning => ("Warning", "1;33"),
        Level::Err => ("Error", "1;31"),
        Level::Alert => ("Alert", "1;31"),
        Level::Emerg => ("Emergency", "1;31"),
        Level::Crit => ("Critical", "1;31"),
    }
}

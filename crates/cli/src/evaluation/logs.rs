use std::cell::RefCell;
use std::io::{self, Write as _};
use std::rc::Rc;

use marotte_catalog::{Catalog, Site};
use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;
use marotte_eval::{Effect, Effects, Level, Log};
use marotte_host::{EvaluationContext, Findings, Permission};

use crate::args::{EvaluationArgs, ValueFormat};
use crate::terminal::styled;

/// The container of resources outside of classes.
const MAIN: &str = "Class[main]";

/// The maximal number of places listed for one cause.
const SITES: usize = 5;

/// Receives the effects of evaluation: prints messages in Puppet's format, and keeps them if they are needed later.
/// Clones share the kept messages.
#[derive(Clone)]
pub(crate) struct Logs<'s> {
    shared: Rc<Shared<'s>>,
}

struct Shared<'s> {
    context: &'s EvaluationContext,
    printing: Printing,
    kept: RefCell<Vec<Log>>,
    keep: bool,
}

/// The settings for printing messages.
#[derive(Clone, Copy)]
pub(crate) struct Printing {
    /// The least severe level that is printed; None for no messages.
    least: Option<Level>,
    color: Color,
    ruby: RubyUse,
}

/// The extent to which the arguments allow an installed Ruby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RubyUse {
    /// The arguments don't mention it: a message may suggest it.
    Unmentioned,
    /// The arguments allow or forbid it, or replace it by a record.
    Chosen,
}

impl RubyUse {
    pub(crate) fn of(args: &EvaluationArgs) -> RubyUse {
        let allows = args.allow.iter().any(|it| matches!(it, Permission::Ruby(_)));
        match allows || args.no_ruby || args.replay.is_some() {
            true => RubyUse::Chosen,
            false => RubyUse::Unmentioned,
        }
    }

    /// Returns a hint for messages, if one of them reports that the interpreter of Ruby does not implement something.
    pub(crate) fn hint<'t>(self, mut messages: impl Iterator<Item = &'t str>) -> Option<&'static str> {
        let is_helpful = self == RubyUse::Unmentioned && messages.any(|it| it.ends_with(NOT_IMPLEMENTED));
        is_helpful.then_some(
            "hint: `--allow ruby` lets the installed Ruby evaluate what is not implemented; `marotte ruby` lists all such code",
        )
    }
}

/// The end of messages about features that the interpreter of Ruby lacks.
const NOT_IMPLEMENTED: &str = " is not implemented";

/// A message as shown to people.
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
        Printing { least, color: args.color.on_stderr(), ruby: RubyUse::of(args) }
    }

    /// The line for a message, with the name of the node for warnings and errors; None if its level is not printed.
    pub(crate) fn line(self, log: &Log, of: Option<&str>, findings: &mut Findings<'_>) -> Option<String> {
        self.least.filter(|least| log.level >= *least)?;
        let (name, style) = look(log.level);
        let of = of.filter(|_| log.level >= Level::Warning).map(|it| format!(" on node {it}"));
        let line = format!("{name}: {}{}", Shown::new(log, findings).text, of.unwrap_or_default());
        let line = printable::text(&line).into_owned();
        Some(if style.is_empty() { line } else { styled(self.color, style, &line) })
    }
}

impl Printing {
    /// Reports the unknown parts of a catalog, by cause.
    pub(crate) fn incomplete(self, catalog: &Catalog, told: &mut Vec<u8>) {
        let completeness = catalog.completeness();
        if completeness.is_complete() || self.least.is_none_or(|it| it > Level::Warning) {
            return;
        }
        let (name, style) = look(Level::Warning);
        let head = format!("{name}: the catalog of {} is INCOMPLETE: {completeness}", catalog.name);
        let mut lines = vec![styled(self.color, style, &printable::line(&head))];
        for gap in catalog.told_gaps() {
            let values = match catalog.unknown_values(gap) {
                0 => String::new(),
                1 => "; 1 value is unknown".to_owned(),
                count => format!("; {count} values are unknown"),
            };
            let reason = gap.reason.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
            let gap_line = format!("  {}{reason}{values}", gap.cause);
            let places = [sites("asked for at", &gap.asked), sites("skips code at", &gap.skipped)];
            let told = [Some(gap_line)].into_iter().chain(places).flatten();
            lines.extend(told.map(|it| printable::line(&it).into_owned()));
        }
        let reasons = catalog.told_gaps().into_iter().filter_map(|it| it.reason.as_deref());
        lines.extend(self.ruby.hint(reasons).map(str::to_owned));
        told.extend_from_slice((lines.join("\n") + "\n").as_bytes());
    }
}

/// Formats the first few places, and the number of others.
fn sites(what: &str, sites: &[Site]) -> Option<String> {
    if sites.is_empty() {
        return None;
    }
    let shown: Vec<String> = sites.iter().take(SITES).map(ToString::to_string).collect();
    let more = match sites.len().saturating_sub(SITES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("    {what} {}{more}", shown.join(", ")))
}

impl Shown {
    /// Formats a message with its place, as Puppet does.
    pub(crate) fn new(log: &Log, findings: &mut Findings<'_>) -> Shown {
        let (file, line, column) = match log.place.as_ref().and_then(|place| findings.shown(place)) {
            Some(at) => (Some(at.file), Some(at.line), Some(at.column)),
            None => (None, None, None),
        };
        let text = match (log.issue, &file, line, column) {
            // Messages that the program itself logs are shown without file and line.
            (None, ..) => {
                let scope = log.scope.as_deref().unwrap_or(MAIN);
                format!("Scope({scope}): {}", log.message)
            }
            // The reference has no names for texts that are not files.
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
    pub(crate) fn new(args: &EvaluationArgs, format: ValueFormat, context: &'s EvaluationContext) -> Self {
        let printing = Printing::new(args, format);
        let keep = format == ValueFormat::Json;
        Logs { shared: Rc::new(Shared { context, printing, kept: RefCell::default(), keep }) }
    }

    /// Takes the kept messages.
    pub(crate) fn take(&self) -> Vec<Log> {
        self.shared.kept.take()
    }
}

impl Effects for Logs<'_> {
    fn emit(&mut self, effect: Effect) {
        let Effect::Log(log) = effect;
        let mut findings = Findings::over(self.shared.context.db());
        if let Some(line) = self.shared.printing.line(&log, None, &mut findings) {
            // The reader has gone away: evaluation continues for its value.
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
        if self.shared.keep {
            self.shared.kept.borrow_mut().push(log);
        }
    }
}

/// Returns the word and the ANSI style of a level.
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

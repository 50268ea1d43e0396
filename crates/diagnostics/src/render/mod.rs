//! Reports with excerpts, for people: the only module that uses codespan-reporting.

mod excerpt;

use std::io;

use codespan_reporting::diagnostic::{self, Label, LabelStyle, Severity};
use codespan_reporting::files;
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config};

use crate::{Diagnostic, FileId, Fix, Level, Sources, printable};
use excerpt::{Excerpts, Mark};

/// Whether to write colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Writes plain text.
    #[default]
    Never,
    /// Writes ANSI escape sequences.
    Always,
}

/// Renders one finding: the message, the source lines with the places marked, notes, and the fix.
///
/// # Errors
/// Those of `out`.
pub fn render(
    diagnostic: &Diagnostic,
    sources: &dyn Sources,
    color: Color,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    render_as(diagnostic.rule.name, diagnostic, sources, color, out)
}

/// Renders a text that is not a finding in the form of one. `name` replaces the name of the rule.
///
/// # Errors
/// Those of `out`.
pub fn render_as(
    name: &str,
    diagnostic: &Diagnostic,
    sources: &dyn Sources,
    color: Color,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let own = Mark { file: diagnostic.file, range: diagnostic.range };
    let own = (!diagnostic.conceals).then_some(own);
    let marks: Vec<Mark> = own
        .into_iter()
        .chain(diagnostic.related.iter().map(|it| Mark { file: it.file, range: it.range }))
        .collect();
    let excerpts = Excerpts::new(&marks, sources);
    let mut picture = picture(name, diagnostic, &marks, &excerpts);
    if diagnostic.conceals {
        picture.notes.insert(0, place(diagnostic, sources));
    }
    let config = Config::default();
    let drawn = match color {
        Color::Always => term::emit_to_write_style(&mut Ansi::new(out), &config, &excerpts, &picture),
        Color::Never => term::emit_to_write_style(&mut NoColor::new(out), &config, &excerpts, &picture),
    };
    drawn.map_err(|error| match error {
        files::Error::Io(error) => error,
        other => io::Error::other(other),
    })
}

/// Converts the finding to codespan's terms, over the excerpts' texts.
fn picture(
    name: &str,
    diagnostic: &Diagnostic,
    marks: &[Mark],
    excerpts: &Excerpts,
) -> diagnostic::Diagnostic<FileId> {
    let severity = match diagnostic.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Ignore => Severity::Note,
    };
    let own = (!diagnostic.conceals).then(|| diagnostic.label.as_deref().unwrap_or_default());
    let messages = own.into_iter().chain(diagnostic.related.iter().map(|it| it.message.as_str()));
    let labels = marks.iter().zip(messages).enumerate().map(|(at, (mark, message))| {
        let style = if at == 0 && !diagnostic.conceals { LabelStyle::Primary } else { LabelStyle::Secondary };
        Label::new(style, mark.file, excerpts.shown(mark)).with_message(printable::line(message))
    });
    let notes = diagnostic.notes.iter().map(|note| printable::line(note).into_owned());
    diagnostic::Diagnostic::new(severity)
        .with_code(name)
        .with_message(printable::line(&diagnostic.message))
        .with_labels(labels.collect())
        .with_notes(notes.chain(diagnostic.fix.as_ref().map(help)).collect())
}

/// The location line of a finding whose source line isn't shown.
fn place(diagnostic: &Diagnostic, sources: &dyn Sources) -> String {
    let at = sources.line_index(diagnostic.file).position(diagnostic.range.start());
    let path = printable::line(sources.path(diagnostic.file));
    format!("at {path}:{}:{}; the line may hold a secret, and is not shown", at.line, at.column)
}

/// The line that describes the fix.
fn help(fix: &Fix) -> String {
    let title = printable::line(&fix.title);
    if fix.safe { format!("help: {title}") } else { format!("help: {title}, if that is what you mean") }
}

#[cfg(test)]
mod tests;

use marotte_diagnostics::{Diagnostic, Level, rules, syntax};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db as _, SourceError, mode_in, source_text};
use marotte_eval::{Settings, Unit, UnitSource};
use marotte_hir::parse;
use marotte_ruby_eval::program::Program;
use marotte_text::{ByteOrderMark, Str};

use super::findings::line_range;
use super::loading::diagnostic;
use crate::{EvaluationContext, Findings};

/// The origin of a program.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// A file.
    File(&'a Utf8Path),
    /// A text with a name for messages.
    Text {
        /// The name.
        name: &'a str,
        /// The text.
        text: &'a str,
        /// Whether it is a template.
        template: bool,
    },
    /// A text that starts with the byte order mark of an encoding other than UTF-8.
    Marked {
        /// The name.
        name: &'a str,
        /// The mark.
        mark: ByteOrderMark,
    },
}

/// Reads a program. The errors of its text are added to `findings`; None if they prevent it from running.
///
/// The setting `strict` decides how doubtful code is treated.
pub fn read_program(
    context: &EvaluationContext,
    settings: &Settings,
    source: &Source<'_>,
    findings: &mut Findings<'_>,
) -> Option<Unit> {
    match source {
        Source::File(path) => {
            let db = context.db();
            let path = db.system().absolute(path);
            let file = db.files().file(db, &path);
            let id = file.id(db);
            if let Some(SourceError::ByteOrderMark(mark)) = source_text(db, file).error() {
                findings.push(syntax::byte_order_mark(id, *mark));
                return None;
            }
            if let Some(error) = source_text(db, file).error() {
                let message = format!("this file cannot be read: {error}");
                findings.push(Diagnostic::new(
                    rules::UNREADABLE_FILE,
                    Level::Error,
                    id,
                    Default::default(),
                    message,
                ));
                return None;
            }
            let parsed = parse(db, file);
            let text = source_text(db, file).text();
            let errors =
                parsed.errors().iter().filter_map(|error| diagnostic(settings.strict, id, error, text));
            if !findings.extend(errors) {
                return None;
            }
            let lowered = Arc::clone(marotte_hir::lowered(db, file));
            Some(Unit { lowered, source: UnitSource::File(path.as_str().into()) })
        }
        Source::Marked { name, mark } => {
            findings.byte_order_mark(name, *mark);
            None
        }
        Source::Text { name, text, template } => {
            let parsed = marotte_syntax::parse(text, mode_in(settings.dialect, *template));
            let (name, text): (Str, Arc<str>) = ((*name).into(), (*text).into());
            if !parsed.errors.is_empty() {
                let id = findings.text(&name, &text);
                let errors =
                    parsed.errors.iter().filter_map(|error| diagnostic(settings.strict, id, error, &text));
                if !findings.extend(errors) {
                    return None;
                }
            }
            let lowered = Arc::new(marotte_hir::lower(&parsed.program));
            Some(Unit { lowered, source: UnitSource::Text(name, text) })
        }
    }
}

/// Reads an ERB template. An error in its text is added to `findings`; None in that case.
pub fn read_erb(name: &str, text: &str, findings: &mut Findings<'_>) -> Option<Program> {
    match Program::template(name, text.as_bytes()) {
        Ok(program) => Some(program),
        Err(error) => {
            let (name, text): (Str, Arc<str>) = (name.into(), text.into());
            let id = findings.text(&name, &text);
            let range = line_range(&text, error.line);
            findings.push(Diagnostic::new(rules::SYNTAX_ERROR, Level::Error, id, range, error.message));
            None
        }
    }
}

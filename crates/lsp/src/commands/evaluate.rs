//! `marotte.evaluate`: the value of a selection.

use lsp_types::Range;
use marotte_eval::Interpreter;
use marotte_host::{Findings, Source, read_program};
use marotte_pcore::print::literal_in;
use serde::Deserialize;

use super::Shown;
use super::subject::{Subject, messages, settings};
use crate::snapshot::{Answer, Snapshot};

/// The code to evaluate.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    /// A range of the document; the whole document if there is neither a range nor a text.
    #[serde(default)]
    range: Option<Range>,
    /// A text to evaluate instead.
    #[serde(default)]
    text: Option<String>,
}

pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, range, text } = argument;
    let file = snapshot.file(&subject.uri)?;
    let selected = match (text, range) {
        (Some(text), _) => text,
        (None, Some(range)) => {
            let range = snapshot.text_range(file, range)?;
            snapshot.text(file).as_str()[range].to_owned()
        }
        (None, None) => snapshot.text(file).as_str().to_owned(),
    };
    let subject = subject.subject(snapshot)?;
    let settings = settings(snapshot);
    let mut findings = Findings::new(&subject);
    let mut effects = Vec::new();
    let source = Source::Text { name: "the selection", text: &selected, template: false };
    let unit = read_program(&subject, &settings, &source, &mut findings);
    let mut shown = String::new();
    if let Some(unit) = unit {
        let outside = subject.host();
        let mut interpreter = Interpreter::new(settings, &outside, &mut effects);
        match interpreter.run_unit(&unit) {
            Ok(value) => shown = literal_in(interpreter.dialect(), &value),
            Err(error) => findings.error(&error),
        }
    }
    let messages = messages(&effects, &findings);
    Ok(Shown { text: shown, language: "puppet", messages })
}

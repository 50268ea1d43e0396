//! `marotte.explainLookup`: the steps and the result of a Hiera lookup.

use marotte_eval::Interpreter;
use marotte_host::{Findings, LookupOptions, run_lookup};
use serde::Deserialize;

use super::Shown;
use super::subject::{Subject, messages, settings};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The lookup to explain.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    /// The key to look up.
    key: String,
    /// The merge strategy; None for the one in `lookup_options`.
    #[serde(default)]
    merge: Option<String>,
}

pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, key, merge } = argument;
    let subject = subject.subject(snapshot)?;
    let outside = subject.host();
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(settings(snapshot), &outside, &mut effects);
    let options =
        LookupOptions { keys: vec![key.as_str().into()], merge, explain: true, ..LookupOptions::default() };
    let text = run_lookup(&mut interpreter, &options)
        .map_err(|error| ResponseError::failed(error.message.to_string()))?;
    drop(interpreter);
    let messages = messages(&effects, &Findings::new(&subject));
    Ok(Shown { text, language: "plaintext", messages })
}

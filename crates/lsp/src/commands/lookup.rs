//! `marotte.explainLookup`: where Hiera looks for a key, and what it finds.

use marotte_eval::Interpreter;
use marotte_host::{Findings, LookupOptions, run_lookup};
use serde::Deserialize;

use super::Shown;
use super::surroundings::{Subject, messages, settings};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// What is to be looked up.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    /// The key.
    key: String,
    /// How values are merged; as `lookup_options` say, if there is nothing.
    #[serde(default)]
    merge: Option<String>,
}

pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, key, merge } = argument;
    let surroundings = subject.surroundings(snapshot)?;
    let outside = surroundings.outside();
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(settings(snapshot), &outside, &mut effects);
    let options =
        LookupOptions { keys: vec![key.as_str().into()], merge, explain: true, ..LookupOptions::default() };
    let text = run_lookup(&mut interpreter, &options)
        .map_err(|error| ResponseError::failed(error.message.to_string()))?;
    drop(interpreter);
    let messages = messages(&effects, &Findings::new(&surroundings));
    Ok(Shown { text, language: "plaintext", messages })
}

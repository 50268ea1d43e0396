//! `marotte.previewTemplate`: the output of a template for a node.

use marotte_eval::{Interpreter, TemplateFile};
use marotte_hiera::data::parse_json;
use marotte_host::{Findings, Source, read_program};
use marotte_pcore::value::{Hash, Value};
use serde::Deserialize;

use super::Shown;
use super::subject::{Subject, messages, settings};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The template, and its values.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    /// The values of its parameters; for an ERB template, of variables.
    #[serde(default)]
    values: serde_json::Map<String, serde_json::Value>,
}

/// Renders the text in the editor. `Sensitive` values aren't shown.
pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, values } = argument;
    let path = subject.path(snapshot)?;
    if !matches!(path.extension(), Some("epp" | "erb")) {
        return Err(ResponseError::failed(format!("`{path}` is not a template: neither EPP nor ERB")));
    }
    let text = snapshot.text(snapshot.file(&subject.uri)?);
    let values = hash(values)?;
    let subject = subject.subject(snapshot)?;
    let settings = settings(snapshot);
    let mut findings = Findings::new(&subject);
    let mut effects = Vec::new();
    let outside = subject.host();
    let mut interpreter = Interpreter::new(settings.clone(), &outside, &mut effects);
    let rendered = if path.extension() == Some("erb") {
        for (name, value) in values.iter() {
            interpreter.define(name.as_str().unwrap_or_default(), value.clone());
        }
        interpreter.render_erb_template(path.as_str(), text.as_str())
    } else {
        let source = Source::Text { name: path.as_str(), text: text.as_str(), template: true };
        match read_program(&subject, &settings, &source, &mut findings) {
            None => return Err(ResponseError::failed(messages(&[], &findings))),
            Some(unit) => {
                let file = TemplateFile { lowered: unit.lowered, source: unit.source };
                let values = (!values.is_empty()).then_some(&values);
                interpreter.render_file(file, values)
            }
        }
    };
    let rendered = rendered
        .map(|it| interpreter.text(&it))
        .map_err(|error| findings.template_error(path.as_str(), text.as_str(), &error));
    drop(interpreter);
    let messages = messages(&effects, &findings);
    match rendered {
        Ok(text) => Ok(Shown { text, language: "plaintext", messages }),
        Err(()) => Err(ResponseError::failed(messages)),
    }
}

fn hash(values: serde_json::Map<String, serde_json::Value>) -> Answer<Hash> {
    let text = serde_json::Value::Object(values).to_string();
    let document = parse_json(&text).map_err(|error| ResponseError::invalid_params(error.to_string()))?;
    match document.value {
        Value::Hash(hash) => Ok(Hash::clone(&hash)),
        _ => Ok(Hash::default()),
    }
}

//! Remembered results of computations, by a digest of the code and the arguments, with everything that the computation
//! read.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use marotte_catalog::rich_data::TYPE;
use marotte_eval::NoAnswer;
use marotte_pcore::value::Value;
use marotte_ruby_eval::Host;
use serde_json::{Value as Json, json};

use super::Outward;
use super::data::Values;
use super::exchange::{self, Computation, Kind};
use super::worker::{Text, digest};

/// The total size of the remembered messages, in bytes, beyond which no more results are remembered.
const LIMIT: usize = 64 << 20;

/// The data that a computation read, and its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(super) asked: Vec<Asked>,
    /// The files that the worker had loaded at the end.
    pub(super) loaded: Vec<(String, Text)>,
    /// The last message of the worker.
    pub(super) end: Json,
}

/// A question of a worker, and the digest of the answer.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    question: Json,
    answer: Text,
    /// Whether the question or the answer has a sensitive value.
    is_sensitive: bool,
}

impl Asked {
    pub(super) fn new(question: &Json, answer: &Json, outside: &dyn Outward) -> Asked {
        let is_sensitive = is_sensitive(question) || is_sensitive(answer);
        Asked { question: question.clone(), answer: answer_digest(answer, outside), is_sensitive }
    }
}

/// The placeholder for the environment's folder in text that is compared and written.
const ROOT: &str = "%{environment}";

/// Returns the digest of an answer, independent of the path of the environment.
fn answer_digest(answer: &Json, outside: &dyn Outward) -> Text {
    digest(&movable(&answer.to_string(), outside))
}

fn movable(text: &str, outside: &dyn Outward) -> String {
    match outside.root() {
        Some(root) => text.replace(&root, ROOT),
        None => text.to_owned(),
    }
}

fn fixed(text: &str, outside: &dyn Outward) -> String {
    match outside.root() {
        Some(root) => text.replace(ROOT, &root),
        None => text.to_owned(),
    }
}

/// Whether a message has a sensitive value.
fn is_sensitive(json: &Json) -> bool {
    match json {
        Json::Array(elements) => elements.iter().any(is_sensitive),
        Json::Object(map) => {
            map.get(TYPE).is_some_and(|it| it == "Sensitive") || map.values().any(is_sensitive)
        }
        _ => false,
    }
}

impl Trace {
    /// Returns the result if every question has the same answer now. Asking records the dependencies of the evaluation.
    ///
    /// # Errors
    /// If an answer is not known.
    pub(super) fn still_holds(
        &self,
        outside: &dyn Outward,
        host: &mut dyn Host,
    ) -> Result<Option<Result<Value, NoAnswer>>, NoAnswer> {
        for (path, known) in &self.loaded {
            if outside.text(path).is_none_or(|it| digest(&it) != *known) {
                return Ok(None);
            }
        }
        let mut values = Values::default();
        let before = host.effects();
        for it in &self.asked {
            match exchange::answer(&it.question, &mut values, outside, host) {
                Ok(now) if answer_digest(&now, outside) == it.answer => {}
                // After such effects, it can't be computed in another way.
                _ if host.effects() != before => {
                    let reason = "code that has logged, set or declared something before";
                    return Err(NoAnswer::Unsupported(reason.to_owned()));
                }
                Ok(_) | Err(NoAnswer::Host(_)) => return Ok(None),
                Err(other) => return Err(other),
            }
        }
        Ok(exchange::conclude(&self.end, &values, host))
    }

    /// Sets the last message of the worker, which names the files that the code has loaded.
    pub(super) fn depends_on(&mut self, mut end: Json, loaded: &BTreeMap<String, Text>) {
        let used = end.as_object_mut().and_then(|it| it.remove("used")).unwrap_or_default();
        let used = used.as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |path: &Json| loaded.get_key_value(path.as_str()?);
        self.loaded = used.iter().filter_map(text).map(|(path, text)| (path.clone(), *text)).collect();
        self.loaded.sort();
        self.end = end;
    }

    /// Returns the trace as JSON. None if it contains a sensitive value.
    pub(crate) fn to_json(&self, outside: &dyn Outward) -> Option<Json> {
        if self.asked.iter().any(|it| it.is_sensitive) || is_sensitive(&self.end) {
            return None;
        }
        let moved =
            |it: &Json| serde_json::from_str::<Json>(&movable(&it.to_string(), outside)).unwrap_or_default();
        let asked = |it: &Asked| json!({ "question": moved(&it.question), "answer": hex(&it.answer) });
        let loaded = self.loaded.iter().map(|(path, text)| (movable(path, outside), Json::from(hex(text))));
        Some(json!({
            "asked": self.asked.iter().map(asked).collect::<Vec<Json>>(),
            "loaded": loaded.collect::<serde_json::Map<String, Json>>(),
            "end": self.end,
        }))
    }

    /// Reads a trace. None if it is malformed.
    pub(crate) fn from_json(json: &Json, outside: &dyn Outward) -> Option<Trace> {
        let here = |it: &Json| serde_json::from_str(&fixed(&it.to_string(), outside)).ok();
        let asked = json.get("asked")?.as_array()?.iter().map(|it| {
            let answer = unhex(it.get("answer")?.as_str()?)?;
            Some(Asked { question: here(it.get("question")?)?, answer, is_sensitive: false })
        });
        let loaded = json.get("loaded")?.as_object()?.iter();
        let loaded = loaded.map(|(path, text)| Some((fixed(path, outside), unhex(text.as_str()?)?)));
        Some(Trace {
            asked: asked.collect::<Option<_>>()?,
            loaded: loaded.collect::<Option<_>>()?,
            end: json.get("end")?.clone(),
        })
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Text> {
    let mut bytes = Text::default();
    if text.len() != 2 * bytes.len() || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// The remembered results.
#[derive(Debug, Default)]
pub(super) struct Memory {
    known: HashMap<Text, Arc<Trace>>,
    size: usize,
}

impl Memory {
    pub(super) fn get(&self, key: &Text) -> Option<Arc<Trace>> {
        self.known.get(key).map(Arc::clone)
    }

    pub(super) fn put(&mut self, key: Text, trace: Trace) {
        let asked: usize = trace.asked.iter().map(|it| it.question.to_string().len() + 64).sum();
        let size = trace.end.to_string().len() + asked + trace.loaded.len() * 100;
        if self.size + size <= LIMIT {
            self.size += size;
            self.known.insert(key, Arc::new(trace));
        }
    }
}

/// The digest of a computation.
pub(super) struct Key {
    pub(super) digest: Text,
    /// Whether an argument has a sensitive value.
    pub(super) is_sensitive: bool,
}

/// Returns the digest of a computation. None if its result depends on more than the data that it reads.
pub(super) fn key(computation: &Computation<'_>) -> Result<Option<Key>, NoAnswer> {
    if let Kind::Function { block: Some(_), .. } = computation.kind {
        return Ok(None);
    }
    let mut values = Values::default();
    let mut message = computation.message(&mut values)?;
    let is_sensitive = is_sensitive(&message);
    // The path of the code doesn't matter.
    message["path"] = Json::Null;
    // Values that only marotte knows can't be part of a digest.
    Ok(values.is_empty().then(|| Key { digest: digest(&message.to_string()), is_sensitive }))
}

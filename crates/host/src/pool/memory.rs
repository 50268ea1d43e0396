//! Results that are remembered: by a digest of the file and the arguments, with everything that the computation read.

use std::collections::HashMap;
use std::sync::Arc;

use marotte_eval::NoAnswer;
use marotte_pcore::value::Value;
use marotte_ruby_eval::Host;
use serde_json::Value as Json;

use super::Outward;
use super::data::Values;
use super::exchange::{self, Computation, Kind};
use super::worker::{Text, digest};

/// The size of all remembered messages, in bytes, beyond which nothing more is remembered.
const LIMIT: usize = 64 << 20;

/// What a computation read, and its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) asked: Vec<Asked>,
    /// The files that the worker had loaded at the end.
    pub(super) loaded: Vec<(String, Text)>,
    pub(super) result: Json,
}

/// A question of a worker, and the digest of the answer.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    question: Json,
    answer: Text,
}

impl Asked {
    pub(super) fn new(question: &Json, answer: &Json) -> Asked {
        Asked { question: question.clone(), answer: digest(&answer.to_string()) }
    }
}

impl Trace {
    /// The result, if every question has the same answer now. Asking notes that it was read.
    ///
    /// # Errors
    /// If an answer is not known.
    pub(super) fn still_holds(
        &self,
        outside: &dyn Outward,
        host: &mut dyn Host,
    ) -> Result<Option<Value>, NoAnswer> {
        for (path, known) in &self.loaded {
            if outside.text(path).is_none_or(|it| digest(&it) != *known) {
                return Ok(None);
            }
        }
        let mut values = Values::default();
        for it in &self.asked {
            match exchange::answer(&it.question, &mut values, outside, host) {
                Ok(now) if digest(&now.reply.to_string()) == it.answer => {}
                Ok(_) => return Ok(None),
                Err(NoAnswer::Host(_)) => return Ok(None),
                Err(other) => return Err(other),
            }
        }
        Ok(values.read(&self.result, host).ok())
    }
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
        let size = trace.result.to_string().len() + asked + trace.loaded.len() * 100;
        if self.size + size <= LIMIT {
            self.size += size;
            self.known.insert(key, Arc::new(trace));
        }
    }
}

/// The digest of a computation. None if its result depends on more than what it reads.
pub(super) fn key(computation: &Computation<'_>) -> Result<Option<Text>, NoAnswer> {
    if let Kind::Function { block: Some(_), .. } = computation.kind {
        return Ok(None);
    }
    let mut values = Values::default();
    let message = computation.message(&mut values)?;
    // Values that only marotte knows have no text.
    Ok(values.is_empty().then(|| digest(&message.to_string())))
}

//! Attributes: `name => value`, `name +> value`, `* => hash` (F8, F9).

use marotte_diagnostics::issues;
use std::rc::Rc;

use marotte_hir::ExprId;
use marotte_hir::body::{Attribute, AttributeName};
use marotte_pcore::infer::{generalize, infer};
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::Definition;
use super::doubt::Cause;
use super::instance::Parameter;
use super::provenance::TraceKind;
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter};

/// Parameters in source order.
pub(super) type Parameters = Vec<(Str, Parameter)>;

/// The parameters of a resource body, as far as they are known.
pub(super) struct Attributes {
    pub(super) known: Parameters,
    /// Why there may be more parameters than the known ones; None if these are all.
    pub(super) open: Option<Cause>,
}

impl Interpreter<'_> {
    /// Evaluates attributes that must all be known.
    pub(super) fn known_attributes(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        attributes: &[Attribute],
        kind: impl Fn(bool) -> TraceKind,
    ) -> Evaluated<Parameters> {
        match self.attributes(env, attributes, kind)? {
            Attributes { known, open: None } => Ok(known),
            Attributes { open: Some(by), .. } => Err(self.undecided(env, at, by)),
        }
    }

    /// Evaluates attributes, in order. A name may occur several times. `kind` distinguishes attributes that extend values (`+>`)
    /// from others.
    pub(super) fn attributes(
        &mut self,
        env: &Env<'_>,
        attributes: &[Attribute],
        kind: impl Fn(bool) -> TraceKind,
    ) -> Evaluated<Attributes> {
        let mut open = None;
        let mut parameters = Vec::with_capacity(attributes.len());
        let source = self.source(env)?;
        for attribute in attributes {
            let place = env.place(attribute.at);
            let (value, reads) = self.reading(|it| it.eval(env, attribute.value));
            let value = value?;
            let reads = reads.unwrap_or_default();
            let parameter = |it: &Self, value: Value| {
                let kind = match (&attribute.name, kind(attribute.append)) {
                    (AttributeName::Unfold, TraceKind::Attribute) => TraceKind::Unfolded,
                    (_, kind) => kind,
                };
                let trace = it.trace(env, kind, &place, &value, &reads);
                let (source, place) = (Rc::clone(&source), Some(place.clone()));
                Parameter { value, source, place, append: attribute.append, trace }
            };
            match &attribute.name {
                AttributeName::Name(name) => {
                    let value = self.converted(value)?;
                    parameters.push((name.clone(), parameter(self, value)));
                }
                AttributeName::Unfold => {
                    if let Value::Unknown(by) = value {
                        open.get_or_insert(by);
                        continue;
                    }
                    let Value::Hash(hash) = value else {
                        return Err(self.no_hash(env, attribute.value, &value));
                    };
                    for (key, value) in hash.iter() {
                        let name = match key {
                            Value::String(name) => name.clone(),
                            key => marotte_pcore::print::literal(key).into(),
                        };
                        let value = self.converted(value.clone())?;
                        parameters.push((name, parameter(self, value)));
                    }
                }
            }
        }
        Ok(Attributes { known: parameters, open })
    }

    fn no_hash(&self, env: &Env<'_>, id: ExprId, value: &Value) -> crate::Unwind {
        let actual = generalize(&infer(self.dialect(), value));
        self.fail(env, id, issues::TYPE_MISMATCH, format!("Expected value of type Hash, got {actual}"))
    }

    /// Converts a value to the form that resources store: without iterators, and with arrays and hashes of its own, which
    /// changes of those of variables in place don't reach.
    pub(super) fn converted(&self, value: Value) -> Evaluated {
        self.charge_copy(&value)?;
        Ok(converted(value)?)
    }

    /// The class or defined type whose body is being evaluated.
    pub(super) fn source(&mut self, env: &Env<'_>) -> Evaluated<Rc<Definition>> {
        match env.scope.container.get().or_else(|| self.top.container.get()) {
            Some(container) => Ok(Rc::clone(&container.source)),
            None => Err(EvaluationError::runtime("there is no catalog").into()),
        }
    }
}

fn converted(value: Value) -> Result<Value, EvaluationError> {
    match value {
        Value::Iterator(_) => Err(EvaluationError::runtime("Use of an Iterator is not supported here")),
        Value::Array(elements) => {
            let elements = elements.iter().cloned().map(converted);
            Ok(Value::Array(elements.collect::<Result<_, _>>()?))
        }
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| Ok((key.clone(), converted(value.clone())?)));
            let entries = entries.collect::<Result<Hash, EvaluationError>>()?;
            Ok(Value::Hash(entries.into()))
        }
        _ => Ok(value),
    }
}

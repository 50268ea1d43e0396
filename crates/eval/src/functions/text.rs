//! Helpers for functions of one string, which also accept several strings, and leave numbers unchanged.

use std::borrow::Cow;

use marotte_pcore::iterate;
use marotte_pcore::value::{Array, Hash, Value};

use super::Call;
use crate::interpreter::{Evaluated, with_stack};

/// A function that transforms a string.
pub(super) type Change = fn(&str) -> Cow<'_, str>;

/// Declares functions that transform a string, or the strings in an iterable.
macro_rules! text_functions {
    ($($static:ident $name:literal $change:ident $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: super::Builtin = super::Builtin {
                name: $name,
                doc: $doc,
                result: super::ResultType::ForString("String", "Variant[Numeric, String, Array]"),
                overloads: &[
                    super::Overload {
                        parameters: "Numeric $arg",
                        block: None,
                        returns: None,
                        body: super::Body::Run(|call| Ok(call.take(0))),
                    },
                    super::Overload {
                        parameters: "String $arg",
                        block: None,
                        returns: None,
                        body: super::Body::Run(|call| call.map_text($change)),
                    },
                    super::Overload {
                        parameters: "Iterable[Variant[String, Numeric]] $arg",
                        block: None,
                        returns: None,
                        body: super::Body::Run(|call| call.map_texts($change)),
                    },
                ],
                ..super::Builtin::base()
            };
        )*
    };
}

pub(super) use text_functions;

impl Call<'_, '_, '_> {
    /// Transforms the first argument, which is a string.
    pub(super) fn map_text(&mut self, change: Change) -> Evaluated {
        Ok(changed(self.take(0), change))
    }

    /// Transforms the strings among the elements of the first argument.
    pub(super) fn map_texts(&mut self, change: Change) -> Evaluated {
        let elements = self.elements(0)?;
        Ok(Value::Array(elements.iter().map(|it| changed(it.clone(), change)).collect()))
    }

    /// Transforms the strings in the first argument, an array or a hash, at any depth.
    pub(super) fn map_texts_within(&mut self, change: Change) -> Evaluated {
        let value = self.take(0);
        self.changed_within(&value, change, 0)
    }

    fn changed_within(&mut self, value: &Value, change: Change, depth: usize) -> Evaluated {
        match value {
            Value::Array(elements) => self.nested(depth, |it, depth| {
                let changed = elements.iter().map(|element| it.changed_within(element, change, depth));
                Ok(Value::Array(changed.collect::<Evaluated<_>>()?))
            }),
            Value::Hash(entries) => self.nested(depth, |it, depth| {
                let mut changed = Hash::default();
                for (key, value) in entries.iter() {
                    let key = it.changed_within(key, change, depth)?;
                    changed.insert(key, it.changed_within(value, change, depth)?);
                }
                Ok(Value::Hash(changed.into()))
            }),
            value => Ok(changed(value.clone(), change)),
        }
    }

    /// Descends one level into a value, or fails if it is nested too deeply.
    pub(super) fn nested<T>(
        &mut self,
        depth: usize,
        body: impl FnOnce(&mut Self, usize) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let limit = self.interpreter.settings.limits.call_depth;
        if depth >= limit {
            return self.fail(format!("a value is nested more than {limit} levels deep"));
        }
        with_stack(|| body(self, depth + 1))
    }

    /// The elements of an iterable argument, if they are not too many.
    pub(super) fn elements(&mut self, index: usize) -> Evaluated<Array> {
        let limit = self.interpreter.settings.limits.collection_size;
        match iterate::elements(self.argument(index), limit) {
            Ok(elements) => {
                let elements = elements.unwrap_or_default();
                self.interpreter.spend(elements.len() as u64)?;
                Ok(elements)
            }
            Err(error) => self.fail(error.to_string()),
        }
    }
}

/// Transforms a value; one that does not change keeps its allocation.
fn changed(value: Value, change: Change) -> Value {
    match &value {
        Value::String(text) => match change(text) {
            Cow::Borrowed(it) if it.len() == text.len() => value,
            it => Value::String(it.as_ref().into()),
        },
        _ => value,
    }
}

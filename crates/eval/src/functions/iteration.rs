//! What functions that iterate have in common: what is iterated over, and how lambdas take it (E21, E24).

use marotte_pcore::value::Value;

use super::Call;
use crate::Unwind;
use crate::interpreter::Evaluated;

/// What goes on after an element.
pub(super) enum Flow {
    /// The next one.
    Continue,
    /// Nothing: the iteration has what it wants.
    Stop,
}

/// How many parameters a lambda has for an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arity {
    /// The element; of a hash, `[key, value]`.
    One,
    /// Index and element; of a hash, key and value.
    Two,
}

impl Call<'_, '_, '_> {
    /// Calls the lambda for each element of the first argument, and hands the element and the lambda's value to `take`.
    /// `break()` in the lambda ends the iteration.
    pub(super) fn iterate(
        &mut self,
        mut take: impl FnMut(&mut Self, Element, Value) -> Evaluated<Flow>,
    ) -> Evaluated<()> {
        let arity = if self.block_arity() == 2 { Arity::Two } else { Arity::One };
        let subject = self.take(0);
        let result = self.each_element(&subject, |call, element| {
            let value = match arity {
                Arity::One => call.call_block(&[element.one()]),
                Arity::Two => {
                    let (first, second) = element.two();
                    call.call_block(&[first, second])
                }
            }?;
            take(call, element, value)
        });
        match result {
            Err(Unwind::Break(_)) => Ok(()),
            result => result,
        }
    }

    fn each_element(
        &mut self,
        subject: &Value,
        mut take: impl FnMut(&mut Self, Element) -> Evaluated<Flow>,
    ) -> Evaluated<()> {
        match subject {
            Value::Array(elements) => {
                for (index, it) in elements.iter().enumerate() {
                    if let Flow::Stop = take(self, Element::At(index, it.clone()))? {
                        break;
                    }
                }
            }
            Value::Hash(hash) => {
                for (key, value) in hash.iter() {
                    if let Flow::Stop = take(self, Element::Entry(key.clone(), value.clone()))? {
                        break;
                    }
                }
            }
            other => {
                let Some(iterator) = marotte_pcore::iterate::iterator(self.dialect(), other) else {
                    let message =
                        format!("{} is not something enumerable", marotte_pcore::print::literal(other));
                    return self.fail(message);
                };
                let mut index = 0;
                while let Some(it) = iterator.get(index) {
                    if let Flow::Stop = take(self, Element::At(index, it))? {
                        break;
                    }
                    index += 1;
                }
            }
        }
        Ok(())
    }
}

/// An element of what is iterated over.
#[derive(Clone)]
pub(super) enum Element {
    /// With its index.
    At(usize, Value),
    /// An entry of a hash.
    Entry(Value, Value),
}

impl Element {
    /// As a lambda with one parameter takes it.
    pub(super) fn one(&self) -> Value {
        match self {
            Element::At(_, value) => value.clone(),
            Element::Entry(key, value) => Value::Array([key.clone(), value.clone()].into()),
        }
    }

    /// As a lambda with two parameters takes it.
    pub(super) fn two(&self) -> (Value, Value) {
        match self {
            Element::At(index, value) => {
                (Value::from(i64::try_from(*index).unwrap_or(i64::MAX)), value.clone())
            }
            Element::Entry(key, value) => (key.clone(), value.clone()),
        }
    }
}

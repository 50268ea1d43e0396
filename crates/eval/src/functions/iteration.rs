//! Helpers for functions that iterate: the elements of a value, their form as arguments of lambdas, and the effect of
//! `break()` (E21, E24).

use marotte_diagnostics::issues;
use std::sync::Arc;

use marotte_pcore::iterate;
use marotte_pcore::print::literal;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Iterate, Value};

use super::{Body, Call, Overload};
use crate::interpreter::Evaluated;
use crate::{EvaluationError, Unwind};

/// Whether to continue after an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Continues with the next element.
    Continue,
    /// Stops: the iteration has its result.
    Stop,
}

/// The number of arguments that a lambda gets for an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arity {
    /// The element; of a hash, `[key, value]`.
    One,
    /// Index and element; of a hash, key and value.
    Two,
}

/// The effect of `break()` in the lambda.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnBreak {
    /// The call ends the iteration, as if there were no more elements.
    End,
    /// The call ends an iteration over integers; over any other value it is an error, as if outside of an iteration.
    EndIntegers,
    /// The call is an error.
    Fail,
}

impl OnBreak {
    /// Whether it ends the iteration over a value.
    pub(super) fn ends(self, subject: &Value) -> bool {
        match self {
            OnBreak::End => true,
            OnBreak::EndIntegers => is_integers(subject),
            OnBreak::Fail => false,
        }
    }
}

/// The implementation of an overload.
type Run = for<'c> fn(&mut Call<'c, '_, '_>) -> Evaluated;

/// The overloads of most functions that iterate: for lambdas with one and with two parameters.
pub(super) const fn overloads(one: Run, two: Run) -> [Overload; 4] {
    [
        overload("Hash[Any, Any] $hash", "Callable[2, 2]", None, two),
        overload("Hash[Any, Any] $hash", "Callable[1, 1]", None, one),
        overload("Iterable $enumerable", "Callable[2, 2]", None, two),
        overload("Iterable $enumerable", "Callable[1, 1]", None, one),
    ]
}

/// The overloads of functions that divide a collection, with the type of their result.
pub(super) const fn dividing_overloads(returns: &'static str, one: Run, two: Run) -> [Overload; 3] {
    [
        overload("Collection $collection", "Callable[1, 1]", Some(returns), one),
        overload("Array $array", "Callable[2, 2]", Some(returns), two),
        overload("Collection $collection", "Callable[2, 2]", Some(returns), two),
    ]
}

const fn overload(
    parameters: &'static str,
    block: &'static str,
    returns: Option<&'static str>,
    run: Run,
) -> Overload {
    Overload { parameters, block: Some(block), returns, body: Body::Run(run) }
}

impl Call<'_, '_, '_> {
    /// Calls the lambda for each element of the first argument, and passes the element and the lambda's value to
    /// `take`.
    pub(super) fn iterate(
        &mut self,
        arity: Arity,
        on_break: OnBreak,
        mut take: impl FnMut(&mut Self, Element, Value) -> Evaluated<Flow>,
    ) -> Evaluated<()> {
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
            Err(Unwind::Break(_)) if on_break.ends(&subject) => Ok(()),
            result => result,
        }
    }

    /// Passes each element of a value to `take`.
    pub(super) fn each_element(
        &mut self,
        subject: &Value,
        mut take: impl FnMut(&mut Self, Element) -> Evaluated<Flow>,
    ) -> Evaluated<()> {
        let mut take = |call: &mut Self, element| {
            call.interpreter.spend(1)?;
            take(call, element)
        };
        match subject {
            Value::Array(elements) => {
                for (index, it) in elements.iter().enumerate() {
                    if take(self, Element::At(index, it.clone()))? == Flow::Stop {
                        break;
                    }
                }
            }
            Value::Hash(hash) => {
                for (key, value) in hash.iter() {
                    if take(self, Element::Entry(key.clone(), value.clone()))? == Flow::Stop {
                        break;
                    }
                }
            }
            other => {
                if let Some((from, to)) = small_integers(other) {
                    for (index, it) in (from..=to).enumerate() {
                        if take(self, Element::At(index, Value::from(it)))? == Flow::Stop {
                            break;
                        }
                    }
                    return Ok(());
                }
                let iterator = self.iterator_of(other)?;
                let has_entries = iterator.has_entries();
                let mut index = 0;
                while let Some(it) = iterator.get(index) {
                    let element = match &it {
                        Value::Array(pair) if has_entries && pair.len() == 2 => {
                            Element::Entry(pair[0].clone(), pair[1].clone())
                        }
                        _ => Element::At(index, it),
                    };
                    if take(self, element)? == Flow::Stop {
                        break;
                    }
                    index += 1;
                }
            }
        }
        Ok(())
    }

    /// Whether the elements of the first argument are entries of a hash.
    pub(super) fn has_entries(&self) -> bool {
        match self.argument(0) {
            Value::Hash(_) => true,
            Value::Iterator(it) => it.has_entries(),
            _ => false,
        }
    }

    /// Calls the lambda for each element of a value; `break()` ends that. The result is `undef`.
    pub(super) fn call_for_each(&mut self, subject: &Value) -> Evaluated {
        let result = self.each_element(subject, |call, element| {
            call.call_block(&[element.one()])?;
            Ok(Flow::Continue)
        });
        match result {
            Ok(()) | Err(Unwind::Break(_)) => Ok(Value::Undef),
            Err(error) => Err(error),
        }
    }

    /// Creates an iterator over an argument.
    pub(super) fn iterator(&self, index: usize) -> Evaluated<Arc<dyn Iterate>> {
        self.iterator_of(self.argument(index))
    }

    fn iterator_of(&self, value: &Value) -> Evaluated<Arc<dyn Iterate>> {
        match iterate::iterator(self.dialect(), value) {
            Some(iterator) => Ok(iterator),
            None => self.fail(format!("{} can't be iterated over", literal(value))),
        }
    }

    /// Checks that a collection of this many elements may grow.
    pub(super) fn check_room(&self, size: usize) -> Evaluated<()> {
        let limit = self.interpreter.settings.limits.collection_size;
        if size < limit {
            // Account for one more element, and for the memory that the growing collection needs.
            return self.interpreter.allocate(ELEMENT);
        }
        let message = format!("a collection of more than {limit} elements is larger than the limit");
        Err(EvaluationError::new(issues::COLLECTION_SIZE_LIMIT, message).into())
    }
}

/// The memory for an element of a growing collection, in bytes.
const ELEMENT: usize = 64;

/// Whether a value is iterated integer by integer.
fn is_integers(subject: &Value) -> bool {
    match subject {
        Value::Integer(_) => true,
        Value::Type(it) => matches!(it.resolved().kind(), TypeKind::Integer(_)),
        _ => false,
    }
}

/// The first and the last integer of a value that yields consecutive small integers.
fn small_integers(subject: &Value) -> Option<(i64, i64)> {
    match subject {
        Value::Integer(count) => Some((0, count.to_i64()?.checked_sub(1).filter(|last| *last >= -1)?)),
        Value::Type(it) => match it.resolved().kind() {
            TypeKind::Integer(range) if !range.descends => {
                Some((range.from.as_ref()?.to_i64()?, range.to.as_ref()?.to_i64()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// An element of an iteration.
#[derive(Clone)]
pub(super) enum Element {
    /// An element with its index.
    At(usize, Value),
    /// An entry of a hash.
    Entry(Value, Value),
}

impl Element {
    /// The argument for a lambda with one parameter.
    pub(super) fn one(&self) -> Value {
        match self {
            Element::At(_, value) => value.clone(),
            Element::Entry(key, value) => Value::Array([key.clone(), value.clone()].into()),
        }
    }

    /// The arguments for a lambda with two parameters.
    pub(super) fn two(&self) -> (Value, Value) {
        match self {
            Element::At(index, value) => (position(*index), value.clone()),
            Element::Entry(key, value) => (key.clone(), value.clone()),
        }
    }

    /// Returns the index or key of the element.
    pub(super) fn key(&self) -> Value {
        match self {
            Element::At(index, _) => position(*index),
            Element::Entry(key, _) => key.clone(),
        }
    }

    /// Returns the value of the element; for an entry, the entry's value.
    pub(super) fn value(&self) -> &Value {
        match self {
            Element::At(_, value) | Element::Entry(_, value) => value,
        }
    }
}

/// Converts an index to a value.
pub(super) fn position(index: usize) -> Value {
    Value::from(i64::try_from(index).unwrap_or(i64::MAX))
}

//! The calls that rows have: conversions, inference, lazy iterators.

use std::num::NonZeroUsize;
use std::sync::Arc;

use marotte_pcore::format::sprintf;
use marotte_pcore::infer::{generalize, infer, infer_set};
use marotte_pcore::iterate::{TreeOptions, iterator, reverse_each, step, tree};
use marotte_pcore::new::{Context, Outside, new};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::{Iterate, Value};

use super::{Evaluator, Failure};

/// What a function gives, or the constructor of a type.
pub(super) fn call(it: &Evaluator, name: &str, arguments: Vec<Value>) -> Result<Value, Failure> {
    let dialect = it.dialect;
    if name.starts_with(|first: char| first.is_uppercase()) {
        return convert(it, &it.named(name), &arguments);
    }
    Ok(match (name, &arguments[..]) {
        ("new", [Value::Type(target), rest @ ..]) => return convert(it, target, rest),
        ("type", [value]) => Value::Type(infer_set(dialect, value)),
        ("type", [value, Value::String(how)]) if how == "reduced" => Value::Type(infer(dialect, value)),
        ("type", [value, Value::String(how)]) if how == "generalized" => {
            Value::Type(generalize(&infer(dialect, value)))
        }
        ("step", [value, Value::Integer(width)]) => {
            let width = width.to_i64().and_then(|it| usize::try_from(it).ok()).and_then(NonZeroUsize::new);
            let width = width.ok_or_else(|| Failure("rows have no such steps".to_owned()))?;
            Value::Iterator(step(&iterated(it, value)?, width))
        }
        ("reverse_each", [value]) => Value::Iterator(reverse_each(&iterated(it, value)?)),
        ("tree_each", [root]) => Value::Iterator(tree(dialect, root.clone(), &TreeOptions::default())?),
        ("tree_each", [root, Value::Hash(options)]) => {
            Value::Iterator(tree(dialect, root.clone(), &TreeOptions::from_hash(options))?)
        }
        ("sprintf", [Value::String(format), rest @ ..]) => {
            Value::String(sprintf(dialect, format, rest)?.into())
        }
        _ => return Err(Failure(format!("rows have no function {name}"))),
    })
}

fn iterated(it: &Evaluator, value: &Value) -> Result<Arc<dyn Iterate>, Failure> {
    iterator(it.dialect, value).ok_or_else(|| Failure("not iterable".to_owned()))
}

fn convert(it: &Evaluator, target: &Type, arguments: &[Value]) -> Result<Value, Failure> {
    Ok(new(&Context { dialect: it.dialect, outside: it }, target, arguments)?)
}

/// A world in UTC, at the beginning of time.
impl Outside for Evaluator {
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    fn local_offset(&self) -> LocalOffset {
        LocalOffset::UTC
    }

    fn parse_type(&self, text: &str) -> Result<Type, String> {
        self.evaluate_type(text).map_err(|failure| failure.to_string())
    }
}

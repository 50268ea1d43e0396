use std::fmt;
use std::sync::Arc;

use marotte_pcore::create::named;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::inspected;
use marotte_pcore::infer::infer;
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Object, Value};

use super::{Body, Builtin, Call, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `dig`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "dig",
    doc: "Returns a nested value of arrays and hashes: `{a => [1, 2]}.dig(a, 1)` is `2`.\n\n\
          Each argument is a key or an index; negative ones count from the end. If a value does not exist, the result is `undef`; \
          a key or index of a value that is neither an array nor a hash is an error.",
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Optional[Collection] $data, Any *$arg",
        block: None,
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let data = call.take(0);
    match dig(call.dialect(), data, &call.arguments[1..]) {
        Ok(value) => Ok(value),
        Err(error) => call.fail(error.to_string()),
    }
}

/// Returns the value at the end of a path.
pub(super) fn dig(dialect: &Dialect, mut data: Value, path: &[Value]) -> Result<Value, NoWay> {
    for (at, key) in path.iter().enumerate() {
        let walked = |count: usize| path.get(..count).unwrap_or_default().to_vec();
        let next = match (&data, key) {
            (Value::Undef, _) | (_, Value::Undef) => return Ok(Value::Undef),
            (Value::Unknown(it), _) | (_, Value::Unknown(it)) => return Ok(Value::Unknown(it.computed())),
            (Value::Hash(hash), key) => hash.get(key),
            (Value::Array(elements), Value::Integer(index)) => {
                index.to_i64().and_then(|index| element(elements, index))
            }
            (Value::Array(_), key) => {
                return Err(NoWay::Index { walked: walked(at + 1), found: infer(dialect, key) });
            }
            (data, _) => return Err(NoWay::Collection { walked: walked(at), found: infer(dialect, data) }),
        };
        data = next.cloned().unwrap_or(Value::Undef);
    }
    Ok(data)
}

/// The element at an index, counted from the end if it is negative.
fn element(elements: &[Value], index: i64) -> Option<&Value> {
    match usize::try_from(index) {
        Ok(index) => elements.get(index),
        Err(_) => {
            let back = usize::try_from(index.unsigned_abs()).ok()?;
            elements.get(elements.len().checked_sub(back)?)
        }
    }
}

/// The reason why a path can't be followed.
#[derive(Debug)]
pub(super) enum NoWay {
    /// The value at this point is neither an array nor a hash.
    Collection { walked: Vec<Value>, found: Type },
    /// The key for an array is not an index.
    Index { walked: Vec<Value>, found: Type },
}

impl fmt::Display for NoWay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, walked, found) = match self {
            NoWay::Collection { walked, found } => ("does not contain a Collection", walked, found),
            NoWay::Index { walked, found } => ("requires an Integer index", walked, found),
        };
        let walked = inspected(&Value::Array(walked.clone().into())).unwrap_or_else(|_| "[…]".to_owned());
        write!(out, "The given data {what} at {walked}, got '{found}'")
    }
}

impl std::error::Error for NoWay {}

impl NoWay {
    /// Converts to an `Error` value, which is passed to lambdas.
    pub(super) fn value(&self) -> Value {
        let (walked, found, kind, issue) = match self {
            NoWay::Collection { walked, found } => (walked, found, "value_type", "EXPECTED_COLLECTION"),
            NoWay::Index { walked, found } => (walked, found, "index_type", "EXPECTED_INTEGER_INDEX"),
        };
        let details: Hash = [
            (Value::from("walked_path"), Value::Array(walked.clone().into())),
            (Value::from(kind), Value::Type(found.clone())),
        ]
        .into_iter()
        .collect();
        let message = Value::String(self.to_string().into());
        let Some(object_type) = named(Dialect::puppet8(), "Error") else { return message };
        let attributes =
            [message, Value::from("SLICE_ERROR"), Value::Hash(Arc::new(details)), Value::from(issue)];
        Value::Object(Arc::new(Object { object_type, attributes: attributes.into() }))
    }
}

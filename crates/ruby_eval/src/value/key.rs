use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::{Encoding, StringObject, Value};

/// A key of a hash or an element of a set: a value compared by Ruby's `eql?` and `hash` of the built-in classes. `1`
/// and `1.0` are different keys. Objects of other classes are equal by identity, or if `Vm::prepare_key` has found them
/// equal.
#[derive(Clone, Debug)]
pub struct Key(Value);

impl Key {
    /// A key for looking up.
    pub fn new(value: &Value) -> Key {
        Key(value.clone())
    }

    /// A key for storing: a string is copied and frozen, as later changes of the original must not reach it.
    pub fn owned(value: Value) -> Key {
        match &value {
            Value::String(text) if !text.is_frozen() => {
                let copy = StringObject::new(text.bytes().clone(), text.encoding());
                copy.freeze();
                Key(Value::String(Rc::new(copy)))
            }
            _ => Key(value),
        }
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }
}

/// The depth to which parts of values are compared, and their number. `ensure_key` refuses what is larger as a key;
/// only one that was changed later can be.
const COMPARED_DEPTH: u32 = 200;
const COMPARED_VALUES: u32 = 1 << 22;

/// Whether two values are the same key (`eql?`).
fn eql(left: &Value, right: &Value) -> bool {
    eql_at(left, right, 0, &mut COMPARED_VALUES.clone())
}

fn eql_at(left: &Value, right: &Value, depth: u32, limit: &mut u32) -> bool {
    if depth > COMPARED_DEPTH || *limit == 0 {
        return left.is_identical(right);
    }
    *limit -= 1;
    match (left, right) {
        (Value::BigInteger(a), Value::BigInteger(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && a.to_bits() == b.to_bits()),
        (Value::String(a), Value::String(b)) => {
            let comparable = a.encoding() == b.encoding() || a.bytes().is_ascii();
            *a.bytes() == *b.bytes() && comparable
        }
        (Value::Array(a), Value::Array(b)) => {
            Rc::ptr_eq(a, b) || {
                let (a, b) = (a.items(), b.items());
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| eql_at(a, b, depth + 1, limit))
            }
        }
        (Value::Hash(a), Value::Hash(b)) => {
            Rc::ptr_eq(a, b) || {
                let (a, b) = (a.entries(), b.entries());
                let mut same = |value, other: Option<&Value>| {
                    other.is_some_and(|other| eql_at(value, other, depth + 1, limit))
                };
                a.len() == b.len() && a.iter().all(|(key, value)| same(value, b.get(key)))
            }
        }
        (Value::Range(a), Value::Range(b)) => {
            a.exclusive == b.exclusive
                && eql_at(&a.begin, &b.begin, depth + 1, limit)
                && eql_at(&a.end, &b.end, depth + 1, limit)
        }
        (Value::Regexp(a), Value::Regexp(b)) => a.source() == b.source() && a.options() == b.options(),
        (Value::Object(a), Value::Object(b)) => match (a.key_number(), b.key_number()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => Rc::ptr_eq(a, b) || a.data().eql(&b.data()),
            _ => false,
        },
        _ => left.is_identical(right),
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        eql(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

/// The depth and the number of values that the hash of a value depends on. Equal values have the same ones, so that
/// their hashes are equal, too.
const HASHED_DEPTH: u32 = 8;
const HASHED_VALUES: u32 = 10_000;

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    hash_at(value, state, 0, &mut HASHED_VALUES.clone());
}

fn hash_at<H: Hasher>(value: &Value, state: &mut H, depth: u32, left: &mut u32) {
    std::mem::discriminant(value).hash(state);
    if depth > HASHED_DEPTH || *left == 0 {
        return;
    }
    *left -= 1;
    match value {
        Value::Nil => {}
        Value::Bool(it) => it.hash(state),
        Value::Integer(it) => it.hash(state),
        Value::BigInteger(it) => it.hash(state),
        Value::Float(it) => (if *it == 0.0 { 0.0 } else { *it }).to_bits().hash(state),
        Value::Symbol(it) => it.hash(state),
        Value::String(it) => it.bytes().hash(state),
        Value::Array(it) => {
            let items = it.items();
            items.len().hash(state);
            items.iter().take(HASHED_VALUES as usize).for_each(|item| hash_at(item, state, depth + 1, left));
        }
        // The order of entries is irrelevant.
        Value::Hash(it) => it.len().hash(state),
        Value::Range(it) => {
            it.exclusive.hash(state);
            hash_at(&it.begin, state, depth + 1, left);
            hash_at(&it.end, state, depth + 1, left);
        }
        Value::Regexp(it) => it.source().hash(state),
        Value::Match(it) => Rc::as_ptr(it).addr().hash(state),
        Value::Proc(it) => Rc::as_ptr(it).addr().hash(state),
        Value::Class(it) => Rc::as_ptr(it).addr().hash(state),
        Value::Object(it) => match it.key_number().or_else(|| it.data().key_hash()) {
            Some(hash) => hash.hash(state),
            None => Rc::as_ptr(it).addr().hash(state),
        },
    }
}

impl Encoding {
    /// Whether strings of both encodings can be joined if one of them is not ASCII.
    pub fn is_compatible(self, other: Encoding) -> bool {
        self == other
    }
}

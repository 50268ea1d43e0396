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

/// Like [`eql`], with more stack if needed.
fn eql_nested(left: &Value, right: &Value) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || eql(left, right))
}

/// Whether two values are the same key (`eql?`).
fn eql(left: &Value, right: &Value) -> bool {
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
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| eql_nested(a, b))
            }
        }
        (Value::Hash(a), Value::Hash(b)) => {
            Rc::ptr_eq(a, b) || {
                let (a, b) = (a.entries(), b.entries());
                a.len() == b.len()
                    && a.iter().all(|(key, value)| b.get(key).is_some_and(|it| eql_nested(value, it)))
            }
        }
        (Value::Range(a), Value::Range(b)) => {
            a.exclusive == b.exclusive && eql(&a.begin, &b.begin) && eql(&a.end, &b.end)
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

/// Hashes a value, with more stack if needed.
fn hash_nested<H: Hasher>(value: &Value, state: &mut H) {
    stacker::maybe_grow(64 << 10, 1 << 20, || hash(value, state));
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    std::mem::discriminant(value).hash(state);
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
            items.iter().for_each(|item| hash_nested(item, state));
        }
        // The order of entries is irrelevant.
        Value::Hash(it) => it.len().hash(state),
        Value::Range(it) => {
            it.exclusive.hash(state);
            hash(&it.begin, state);
            hash(&it.end, state);
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

//! Ruby's values. They have identity, and strings, arrays, hashes and objects can be changed in place: all holders of
//! the same object see the change. Values belong to one thread.

mod array;
mod class;
mod cycles;
mod free;
mod hash;
mod key;
mod object;
mod proc;
mod range;
mod regexp;
mod string;

pub use array::ArrayObject;
pub(crate) use class::{Attached, NativeTable};
pub use class::{Class, ClassKind, Method, MethodBody, SymbolMap, Visibility};
pub(crate) use cycles::Evaluation;
pub(crate) use free::free;
pub use hash::{Entries, HashObject};
pub use key::Key;
pub use object::{Data, Object};
pub use proc::{NativeBlock, Proc, ProcBody};
pub use range::Range;
pub use regexp::{MatchData, RegexpObject};
pub use string::{Encoding, StringObject};

use std::rc::Rc;

use num_bigint::BigInt;

use crate::Symbol;

/// A Ruby value. Cheap to clone; clones are the same object.
#[derive(Clone, Debug)]
pub enum Value {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// An `Integer` of at most 64 bits.
    Integer(i64),
    /// An `Integer` that does not fit into 64 bits; smaller values are never in this form.
    BigInteger(Rc<BigInt>),
    /// A `Float`.
    Float(f64),
    /// A `Symbol`.
    Symbol(Symbol),
    /// A `String`.
    String(Rc<StringObject>),
    /// An `Array`.
    Array(Rc<ArrayObject>),
    /// A `Hash`.
    Hash(Rc<HashObject>),
    /// A `Range`.
    Range(Rc<Range>),
    /// A `Regexp`.
    Regexp(Rc<RegexpObject>),
    /// A `MatchData`.
    Match(Rc<MatchData>),
    /// A `Proc` or lambda.
    Proc(Rc<Proc>),
    /// A class or module.
    Class(Rc<Class>),
    /// An object of any other class.
    Object(Rc<Object>),
}

impl Value {
    /// A new UTF-8 string that can be changed.
    pub fn string(text: impl Into<String>) -> Value {
        Value::String(Rc::new(StringObject::new(text.into().into_bytes(), Encoding::Utf8)))
    }

    /// A new string of bytes without an encoding (`ASCII-8BIT`).
    pub fn binary(bytes: Vec<u8>) -> Value {
        Value::String(Rc::new(StringObject::new(bytes, Encoding::Binary)))
    }

    /// The symbol of a name.
    pub fn symbol(name: &str) -> Value {
        Value::Symbol(Symbol::new(name))
    }

    /// A new array.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(ArrayObject::new(items)))
    }

    /// A new hash with these entries; a later entry replaces an earlier one of the same key.
    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(Rc::new(HashObject::new(entries)))
    }

    /// An integer, in the smaller form if it fits.
    pub fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Integer(small),
            Err(_) => Value::BigInteger(Rc::new(value)),
        }
    }

    /// Whether conditions treat the value as true: everything but `nil` and `false`.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Whether the value may refer to others, so that freeing it may take more stack.
    pub(crate) fn is_nested(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Proc(_) | Value::Range(_))
    }

    /// Whether the value is `nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Whether both are the same object (`equal?`).
    pub fn is_identical(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::BigInteger(a), Value::BigInteger(b)) => Rc::ptr_eq(a, b),
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Symbol(a), Value::Symbol(b)) => a == b,
            (Value::String(a), Value::String(b)) => Rc::ptr_eq(a, b),
            (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
            (Value::Hash(a), Value::Hash(b)) => Rc::ptr_eq(a, b),
            (Value::Range(a), Value::Range(b)) => Rc::ptr_eq(a, b),
            (Value::Regexp(a), Value::Regexp(b)) => Rc::ptr_eq(a, b),
            (Value::Match(a), Value::Match(b)) => Rc::ptr_eq(a, b),
            (Value::Proc(a), Value::Proc(b)) => Rc::ptr_eq(a, b),
            (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<Symbol> for Value {
    fn from(symbol: Symbol) -> Value {
        Value::Symbol(symbol)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nil, Into::into)
    }
}

//! Values: the results of expressions.

mod array;
mod hash;
mod integer;
mod object;
mod unknown;

pub use array::Array;
pub use hash::{Hash, Key};
pub use integer::{Integer, IntegerOverflow};
pub use object::{Callable, Iterate, Object, Sensitive};
pub use unknown::{Unknown, UnknownSource};

use std::hash::BuildHasher as _;
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use marotte_text::Str;

use crate::binary::Binary;
use crate::effort;
use crate::extent::Extent;
use crate::regexp::Regexp;
use crate::semver::{SemVer, SemVerRange};
use crate::time::{Timespan, Timestamp};
use crate::types::Type;
use crate::uri::Uri;

/// A value. Cheap to clone, and can be shared between threads.
///
/// `PartialEq` is identity as for hash keys: `1` isn't `1.0`, and strings are compared exactly. The language's `==`,
/// which ignores case and compares numbers by value, is [`crate::relation::equal`].
#[derive(Clone, Debug)]
pub enum Value {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true`, `false`.
    Boolean(bool),
    /// An integer.
    Integer(Integer),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(Str),
    /// A regular expression.
    Regexp(Regexp),
    /// An array.
    Array(Array),
    /// A hash.
    Hash(Arc<Hash>),
    /// A type.
    Type(Type),
    /// A value that is never shown in output.
    Sensitive(Sensitive),
    /// A duration.
    Timespan(Timespan),
    /// An instant.
    Timestamp(Timestamp),
    /// A version.
    SemVer(Arc<SemVer>),
    /// A version range.
    SemVerRange(Arc<SemVerRange>),
    /// A sequence of bytes.
    Binary(Binary),
    /// A URI.
    Uri(Arc<Uri>),
    /// An instance of an `Object` type, for instance of `Deferred` or `Error`.
    Object(Arc<Object>),
    /// A function or lambda.
    Callable(Arc<dyn Callable>),
    /// A lazy iterator.
    Iterator(Arc<dyn Iterate>),
    /// An unknown value, which only Ruby could compute.
    Unknown(Arc<Unknown>),
}

impl Value {
    /// Whether the value is truthy: all values except `undef` and `false` (B44).
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// The kind of the value in messages: the name of the type of all values of its kind.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Undef => "Undef",
            Value::Default => "Default",
            Value::Boolean(_) => "Boolean",
            Value::Integer(_) => "Integer",
            Value::Float(_) => "Float",
            Value::String(_) => "String",
            Value::Regexp(_) => "Regexp",
            Value::Array(_) => "Array",
            Value::Hash(_) => "Hash",
            Value::Type(_) => "Type",
            Value::Sensitive(_) => "Sensitive",
            Value::Timespan(_) => "Timespan",
            Value::Timestamp(_) => "Timestamp",
            Value::SemVer(_) => "SemVer",
            Value::SemVerRange(_) => "SemVerRange",
            Value::Binary(_) => "Binary",
            Value::Uri(_) => "URI",
            Value::Object(_) => "Object",
            Value::Callable(_) => "Callable",
            Value::Iterator(_) => "Iterator",
            Value::Unknown(_) => "Unknown",
        }
    }

    /// Whether it is unknown, or may contain an unknown value. Costs nothing.
    pub fn has_unknown(&self) -> bool {
        match self {
            Value::Unknown(_) => true,
            Value::Array(_)
            | Value::Hash(_)
            | Value::Sensitive(_)
            | Value::Object(_)
            | Value::Iterator(_) => self.extent().has_unknown(),
            _ => false,
        }
    }

    /// If the value itself is unknown, returns the unknown value for results computed from it.
    pub fn itself_unknown(&self) -> Option<Arc<Unknown>> {
        match self {
            Value::Unknown(it) => Some(it.computed()),
            _ => None,
        }
    }

    /// Returns the unknown value for results computed from it: for the first unknown value that it is or contains, if
    /// any. Costs nothing if there is none.
    pub fn unknown(&self) -> Option<Arc<Unknown>> {
        let first = |values: &[Value]| values.iter().find_map(Value::unknown);
        match self {
            Value::Unknown(_) => self.itself_unknown(),
            _ if !self.has_unknown() => None,
            Value::Array(elements) => first(elements),
            Value::Hash(hash) => {
                hash.iter().find_map(|(key, value)| key.unknown().or_else(|| value.unknown()))
            }
            Value::Sensitive(it) => it.unwrap().unknown(),
            Value::Object(it) => first(&it.attributes),
            Value::Iterator(it) => (0..it.size()).find_map(|index| it.get(index)?.unknown()),
            _ => None,
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl Value {
    /// Returns the nesting depth and the size.
    pub fn extent(&self) -> Extent {
        match self {
            Value::Array(elements) => elements.extent(),
            Value::Hash(hash) => hash.extent(),
            Value::Type(it) => Extent::around([it.extent()]),
            Value::String(text) => Extent::of_bytes(text.len()),
            Value::Regexp(regexp) => Extent::of_bytes(regexp.source().len()),
            Value::Binary(bytes) => Extent::of_bytes(bytes.len()),
            Value::Sensitive(it) => Extent::around([it.unwrap().extent()]),
            Value::Object(it) => it.extent(),
            Value::Iterator(it) => Extent::around([it.extent()]),
            Value::Unknown(_) => Extent::UNKNOWN,
            Value::Undef
            | Value::Default
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Timespan(_)
            | Value::Timestamp(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Uri(_)
            | Value::Callable(_) => Extent::LEAF,
        }
    }
}

// Values are the most frequent data of programs, so they must stay small.
const _: () = assert!(size_of::<Value>() <= 24);

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => float_bits(*a) == float_bits(*b),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Regexp(a), Value::Regexp(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Hash(a), Value::Hash(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => a == b,
            (Value::Timespan(a), Value::Timespan(b)) => a == b,
            (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
            (Value::SemVer(a), Value::SemVer(b)) => a == b,
            (Value::SemVerRange(a), Value::SemVerRange(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Uri(a), Value::Uri(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Callable(a), Value::Callable(b)) => Arc::ptr_eq(a, b),
            (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
            (Value::Unknown(a), Value::Unknown(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

/// Hashes the entries of a hash. Equal hashes may have different orders.
fn hash_of_entries(hash: &Hash) -> u64 {
    /// The same for all values, and random, so that colliding values can't be prepared.
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    effort::spend(hash.len() as u64);
    let entries = hash.iter().map(|entry| STATE.hash_one(entry));
    entries.fold(hash.len() as u64, u64::wrapping_add)
}

/// Makes floats comparable as keys: `0.0` equals `-0.0`, and NaN equals itself.
fn float_bits(value: f64) -> u64 {
    if value == 0.0 { 0 } else { value.to_bits() }
}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Undef | Value::Default => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            Value::Float(value) => float_bits(*value).hash(state),
            Value::String(text) => text.hash(state),
            Value::Regexp(regexp) => regexp.hash(state),
            Value::Array(elements) => elements.hash(state),
            Value::Hash(hash) => hash_of_entries(hash).hash(state),
            Value::Type(it) => it.hash(state),
            Value::Sensitive(it) => it.hash(state),
            Value::Timespan(it) => it.hash(state),
            Value::Timestamp(it) => it.hash(state),
            Value::SemVer(it) => it.hash(state),
            Value::SemVerRange(it) => it.hash(state),
            Value::Binary(it) => it.hash(state),
            Value::Uri(it) => it.hash(state),
            Value::Object(it) => it.hash(state),
            Value::Callable(it) => Arc::as_ptr(it).cast::<()>().hash(state),
            Value::Iterator(it) => Arc::as_ptr(it).cast::<()>().hash(state),
            Value::Unknown(it) => it.hash(state),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

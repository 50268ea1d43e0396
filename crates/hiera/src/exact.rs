//! Exact equality, to decide whether a result that was read before is still the same.

use std::ops::Deref;
use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::DocumentFault;
use crate::config::ConfigFile;

/// A wrapper whose equality means that no program can distinguish the two values. In Puppet, hashes are equal
/// regardless of the order of their entries, but iteration reveals the order.
#[derive(Clone, Debug)]
pub struct Exact<T>(pub T);

impl<T: Same> PartialEq for Exact<T> {
    fn eq(&self, other: &Exact<T>) -> bool {
        self.0.is_same(&other.0)
    }
}

impl<T> Deref for Exact<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Values that can be compared exactly.
pub trait Same {
    /// Whether no program can distinguish the two.
    fn is_same(&self, other: &Self) -> bool;
}

impl Same for Value {
    fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => (**a).is_same(&**b),
            (Value::Hash(a), Value::Hash(b)) => a.is_same(b),
            (Value::Sensitive(a), Value::Sensitive(b)) => a.unwrap().is_same(b.unwrap()),
            // Zero has a sign, which is printed.
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }
}

impl Same for Hash {
    fn is_same(&self, other: &Hash) -> bool {
        let mut entries = self.iter().zip(other.iter());
        self.len() == other.len() && entries.all(|(a, b)| a.0.is_same(b.0) && a.1.is_same(b.1))
    }
}

impl Same for ConfigFile {
    fn is_same(&self, other: &ConfigFile) -> bool {
        self.path == other.path && self.value.is_same(&other.value)
    }
}

impl<T: Same> Same for [T] {
    fn is_same(&self, other: &[T]) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.is_same(b))
    }
}

impl<T: Same> Same for Vec<T> {
    fn is_same(&self, other: &Vec<T>) -> bool {
        (**self).is_same(&**other)
    }
}

/// Compares both the name and the value.
impl<T: Same> Same for (Str, T) {
    fn is_same(&self, other: &(Str, T)) -> bool {
        self.0 == other.0 && self.1.is_same(&other.1)
    }
}

impl<T: Same> Same for Arc<T> {
    fn is_same(&self, other: &Arc<T>) -> bool {
        Arc::ptr_eq(self, other) || (**self).is_same(&**other)
    }
}

impl<T: Same> Same for Option<T> {
    fn is_same(&self, other: &Option<T>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.is_same(b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl<T: Same> Same for Result<T, DocumentFault> {
    fn is_same(&self, other: &Result<T, DocumentFault>) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => a.is_same(b),
            (Err(a), Err(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(keys: [&str; 2]) -> Value {
        Value::Hash(Arc::new(keys.into_iter().map(|key| (key.into(), 1.into())).collect()))
    }

    #[test]
    fn the_order_of_entries_counts() {
        assert_eq!(hash(["a", "b"]), hash(["b", "a"]));
        assert_ne!(Exact(hash(["a", "b"])), Exact(hash(["b", "a"])));
        let nested = |it: Value| Exact(Value::Array([it].into_iter().collect()));
        assert_ne!(nested(hash(["a", "b"])), nested(hash(["b", "a"])));
        assert_eq!(nested(hash(["a", "b"])), nested(hash(["a", "b"])));
    }

    #[test]
    fn zero_has_a_sign() {
        assert_ne!(Exact(Value::Float(0.0)), Exact(Value::Float(-0.0)));
    }
}

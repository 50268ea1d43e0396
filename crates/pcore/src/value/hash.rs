use indexmap::IndexMap;

use super::Value;

/// A key of a hash: any value, compared exactly (D29 in B.3: `1` is not `'1'`, `'a'` is not `'A'`).
pub type Key = Value;

/// A hash: entries in order of insertion.
///
/// Two hashes are equal when they have the same entries, in whatever order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hash {
    entries: IndexMap<Key, Value>,
}

impl Hash {
    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// The value of a key that is this string.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.get(&Value::String(key.into()))
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        self.entries.get_mut(key)
    }

    /// The entry at an index.
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index)
    }

    /// Sets an entry; an existing one keeps its place.
    pub fn insert(&mut self, key: Value, value: Value) {
        self.entries.insert(key, value);
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> + ExactSizeIterator {
        self.entries.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.entries.keys()
    }

    /// The values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator {
        self.entries.values()
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        Hash { entries: entries.into_iter().collect() }
    }
}

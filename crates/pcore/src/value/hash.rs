use indexmap::IndexMap;

use super::Value;
use crate::extent::Extent;

/// A key of a hash: any value, compared exactly (D29 in B.3: `1` is not `'1'`, `'a'` is not `'A'`).
pub type Key = Value;

/// A hash: entries in order of insertion.
///
/// Two hashes are equal when they have the same entries, in whatever order.
#[derive(Clone, Debug)]
pub struct Hash {
    entries: IndexMap<Key, Value>,
    extent: Extent,
}

impl Default for Hash {
    fn default() -> Hash {
        Hash { entries: IndexMap::default(), extent: Extent::LEAF }
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Hash {}

impl Hash {
    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// The value of a key that is this string.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.get(&Value::String(key.into()))
    }

    /// How deeply it is nested, and how large it is.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Changes the value of a key. None if there is no such key.
    pub fn update<R>(&mut self, key: &Value, change: impl FnOnce(&mut Value) -> R) -> Option<R> {
        let value = self.entries.get_mut(key)?;
        let before = value.extent();
        let result = change(value);
        self.extent = self.extent.without(before).with(value.extent());
        Some(result)
    }

    /// The entry at an index.
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index)
    }

    /// Sets an entry; an existing one keeps its place.
    pub fn insert(&mut self, key: Value, value: Value) {
        let (key_extent, value_extent) = (key.extent(), value.extent());
        self.extent = match self.entries.insert(key, value) {
            Some(before) => self.extent.without(before.extent()),
            None => self.extent.with(key_extent),
        }
        .with(value_extent);
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
        let entries = IndexMap::from_iter(entries);
        let parts = entries.iter().flat_map(|(key, value)| [key.extent(), value.extent()]);
        Hash { extent: Extent::around(parts), entries }
    }
}

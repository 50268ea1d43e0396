use std::fmt;
use std::hash::Hasher;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::map::Iter;
use indexmap::{Equivalent, IndexMap};
use marotte_text::Str;

use super::Value;
use crate::extent::Extent;

/// A key of a hash: any value, compared exactly (D29 in B.3: `1` is not `'1'`, `'a'` is not `'A'`).
pub type Key = Value;

/// The table of entries. The hasher of each table has its own random seed, so that colliding keys can't be prepared.
type Entries = IndexMap<Key, Value, RandomState>;

/// A hash: entries in order of insertion.
///
/// Two hashes are equal if they have the same entries, in any order.
///
/// The result of `+` on a large hash shares its entries ([`Hash::plus`]): a loop that adds to a hash entry by entry
/// copies each entry a few times, not once per iteration.
#[derive(Clone)]
pub struct Hash {
    /// The entries that precede the own ones, with distinct keys. Each hash in this chain has more than twice as many
    /// own entries as the next, so the chain is short.
    before: Option<Arc<Hash>>,
    own: Entries,
    /// The extent of all entries.
    extent: Extent,
}

/// The number of entries up to which a table is copied rather than shared: searching an additional table costs more.
const WORTH_SHARING: usize = 16;

/// A string key for lookups, without creating a value.
struct Text<'a>(&'a str);

impl std::hash::Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&Value::String(Str::new())).hash(state);
        self.0.hash(state);
    }
}

impl Equivalent<Key> for Text<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        key.as_str() == Some(self.0)
    }
}

impl Default for Hash {
    fn default() -> Hash {
        Hash { before: None, own: Entries::default(), extent: Extent::LEAF }
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl Eq for Hash {}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.iter()).finish()
    }
}

impl Hash {
    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.layers().find_map(|it| it.own.get(key))
    }

    /// Returns the value of a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.layers().find_map(|it| it.own.get(&Text(key)))
    }

    /// Returns the nesting depth and the size.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Changes the value of a key. `None` if the hash doesn't have the key.
    pub fn update<R>(&mut self, key: &Value, change: impl FnOnce(&mut Value) -> R) -> Option<R> {
        self.stop_sharing();
        let value = self.own.get_mut(key)?;
        let before = value.extent();
        let result = change(value);
        self.extent = self.extent.without(before).with(value.extent());
        Some(result)
    }

    /// Returns the entry at an index.
    pub fn entry_at(&self, index: usize) -> Option<(&Value, &Value)> {
        let layer = self.layers().find(|it| it.shared() <= index)?;
        layer.own.get_index(index - layer.shared())
    }

    /// Sets an entry; an existing one keeps its position.
    pub fn insert(&mut self, key: Value, value: Value) {
        self.stop_sharing();
        self.set_own(key, value);
    }

    /// Returns this hash with the entries of another; existing keys keep their position.
    #[must_use]
    pub fn plus(self: &Arc<Hash>, other: &Hash) -> Hash {
        let has_one = |it: &Hash| other.keys().any(|key| it.get(key).is_some());
        let mut before = Some(self);
        let mut copied = Vec::new();
        let mut count = other.len();
        // Tables that aren't much larger than the entries after them are merged with these: so each entry is copied
        // again only when its table has grown by half.
        while let Some(it) = before
            && (it.own.len() <= WORTH_SHARING.max(count.saturating_mul(2)) || has_one(it))
        {
            count += it.own.len();
            copied.push(it);
            before = it.before.as_ref();
        }
        let mut sum = Hash { before: before.cloned(), own: Entries::default(), extent: self.extent };
        sum.own.reserve(count);
        let entries = copied.iter().rev().flat_map(|it| &it.own);
        sum.own.extend(entries.map(|(key, value)| (key.clone(), value.clone())));
        for (key, value) in other.iter() {
            sum.set_own(key.clone(), value.clone());
        }
        sum
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.shared() + self.own.len()
    }

    /// Returns the number of entries that are shared with the hash from which this one was created, and need no memory
    /// of their own.
    pub fn shared(&self) -> usize {
        self.before.as_ref().map_or(0, |it| it.len())
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> {
        // Most hashes share nothing; this doesn't allocate for them.
        let mut before: Vec<Iter<'_, Key, Value>> = self.layers().skip(1).map(|it| it.own.iter()).collect();
        before.reverse();
        before.into_iter().flatten().chain(&self.own)
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    /// This hash, then those that it shares, the last entries first.
    fn layers(&self) -> impl Iterator<Item = &Hash> {
        std::iter::successors(Some(self), |it| it.before.as_deref())
    }

    /// Sets an entry that isn't shared.
    fn set_own(&mut self, key: Value, value: Value) {
        let (key_extent, value_extent) = (key.extent(), value.extent());
        self.extent = match self.own.insert(key, value) {
            Some(before) => self.extent.without(before.extent()),
            None => self.extent.with(key_extent),
        }
        .with(value_extent);
    }

    /// Copies the shared entries, before a change.
    fn stop_sharing(&mut self) {
        if self.before.is_some() {
            self.own = self.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            self.before = None;
        }
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        let own = Entries::from_iter(entries);
        let parts = own.iter().flat_map(|(key, value)| [key.extent(), value.extent()]);
        Hash { before: None, extent: Extent::around(parts), own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(entries: impl IntoIterator<Item = (i64, i64)>) -> Arc<Hash> {
        Arc::new(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }

    /// Copies the entries individually, so that nothing is shared.
    fn copied(hash: &Hash) -> Hash {
        hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    #[test]
    fn sum_shares_what_comes_first() {
        let mut sum = hash([]);
        let mut copies = 0;
        for key in 0..10_000 {
            let next = sum.plus(&hash([(key, -key)]));
            copies += next.len() - next.shared();
            sum = Arc::new(next);
        }
        assert_eq!(*sum, *hash((0..10_000).map(|key| (key, -key))));
        assert_eq!(sum.extent(), copied(&sum).extent());
        assert!(copies < 10_000 * 20, "{copies} entries were copied");
        assert!(sum.layers().count() < 12, "{} tables", sum.layers().count());
    }

    #[test]
    fn sum_has_few_tables_whatever_is_added() {
        let mut sum = hash([]);
        let mut first = 0;
        for count in (1..300).rev() {
            sum = Arc::new(sum.plus(&hash((first..first + count).map(|key| (key, 0)))));
            first += count;
        }
        assert_eq!(sum.len(), 299 * 300 / 2);
        assert!(sum.layers().count() < 14, "{} tables", sum.layers().count());
    }

    #[test]
    fn sum_keeps_the_places_of_keys() {
        let many = hash((0..100).map(|key| (key, 0)));
        let more = Arc::new(many.plus(&hash([(100, 0)])));
        assert_eq!(more.shared(), 100);
        // One key of each table, and a new one.
        let sum = more.plus(&hash([(100, 1), (200, 2), (7, 3)]));
        let keys: Vec<&Value> = sum.keys().collect();
        let expected: Vec<Value> = (0..=100).chain([200]).map(Value::from).collect();
        assert_eq!(keys, expected.iter().collect::<Vec<_>>());
        assert_eq!(sum.get(&7.into()), Some(&3.into()));
        assert_eq!(sum.get(&100.into()), Some(&1.into()));
        assert_eq!(sum.extent(), copied(&sum).extent());
        // The original is unchanged.
        assert_eq!((more.get(&7.into()), more.len()), (Some(&0.into()), 101));
    }

    #[test]
    fn entries_are_found_by_key_and_by_index() {
        let sum = hash((0..100).map(|key| (key, key))).plus(&hash((100..120).map(|key| (key, key))));
        let sum = Arc::new(sum).plus(&hash([(120, 120)]));
        assert_eq!(sum.layers().count(), 3);
        for index in 0..121 {
            let value = Value::from(index as i64);
            assert_eq!(sum.entry_at(index), Some((&value, &value)));
            assert_eq!(sum.get(&value), Some(&value));
        }
        assert_eq!(sum.entry_at(121), None);
        assert!(sum.iter().rev().map(|(key, _)| key).eq(copied(&sum).keys().rev()));
    }

    #[test]
    fn change_is_seen_in_one_hash_only() {
        let many = hash((0..100).map(|key| (key, 0)));
        let mut changed = many.plus(&hash([(100, 0)]));
        assert_eq!(changed.update(&7.into(), |it| *it = 1.into()), Some(()));
        assert_eq!(changed.update(&101.into(), |_| ()), None);
        changed.insert(8.into(), 1.into());
        assert_eq!(changed.get(&7.into()), Some(&1.into()));
        assert_eq!(many.get(&7.into()), Some(&0.into()));
        assert_eq!((changed.len(), changed.shared()), (101, 0));
    }

    #[test]
    fn strings_are_found_as_keys() {
        for text in ["", "short", "a text that is too long to appear in the value itself"] {
            let mut hash = Hash::default();
            hash.insert(text.into(), 1.into());
            assert_eq!(hash.get_str(text), Some(&1.into()));
            assert_eq!(hash.get_str("another"), None);
        }
    }
}

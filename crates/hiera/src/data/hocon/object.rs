//! The entries of objects.

use std::rc::Rc;

use indexmap::IndexMap;
use indexmap::map::Entry as Slot;
use marotte_text::TextRange;

use super::tree::{Measure, Tree};

/// The entries of an object, with the ranges of their keys.
///
/// When objects are merged, the entries of the later one in the text come first. So each entry has a rank, and the
/// smaller of two objects is inserted into the larger one, at its start or at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    entries: IndexMap<String, Entry>,
    /// The rank of the first entry, or the one that it would have.
    first: i64,
    /// The rank after that of the last entry.
    end: i64,
    /// The measure of everything that was ever inserted.
    measure: Measure,
}

#[derive(Clone, Debug)]
struct Entry {
    rank: i64,
    at: TextRange,
    value: Rc<Tree>,
}

impl Object {
    /// Creates an object with one entry.
    pub(super) fn of(key: String, at: TextRange, value: Tree) -> Object {
        let mut object = Object::default();
        object.add(key, at, value);
        object
    }

    pub(super) fn measure(&self) -> Measure {
        Measure { size: self.measure.size.saturating_add(1), is_open: self.measure.is_open }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Rc<Tree>> {
        self.entries.get(key).map(|it| &it.value)
    }

    /// The entries in their order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, TextRange, &Rc<Tree>)> {
        let mut entries: Vec<(&String, &Entry)> = self.entries.iter().collect();
        entries.sort_unstable_by_key(|(_, it)| it.rank);
        entries.into_iter().map(|(key, it)| (key.as_str(), it.at, &it.value))
    }

    /// Adds an entry at the end. If the key is already present, it keeps its position, and this value is put over the
    /// earlier one.
    pub(super) fn add(&mut self, key: String, at: TextRange, value: Tree) {
        self.measure = self.measure.and(value.measure);
        match self.entries.entry(key) {
            Slot::Occupied(mut slot) => {
                let entry = slot.get_mut();
                let earlier = Rc::unwrap_or_clone(std::mem::take(&mut entry.value));
                (entry.at, entry.value) = (at, Rc::new(value.over(earlier)));
            }
            Slot::Vacant(slot) => {
                slot.insert(Entry { rank: self.end, at, value: Rc::new(value) });
                self.end += 1;
            }
        }
    }

    /// Merges both objects; the values of this one are put over those of the earlier one.
    pub(super) fn over(mut self, mut earlier: Object) -> Object {
        let measure = self.measure.and(earlier.measure);
        let is_smaller = self.entries.len() < earlier.entries.len();
        let mut merged = if is_smaller {
            earlier.precede(self);
            earlier
        } else {
            self.follow(earlier);
            self
        };
        merged.measure = measure;
        merged
    }

    fn in_order(self) -> Vec<(String, Entry)> {
        let mut entries: Vec<_> = self.entries.into_iter().collect();
        entries.sort_unstable_by_key(|(_, it)| it.rank);
        entries
    }

    /// Puts later entries before these.
    fn precede(&mut self, later: Object) {
        for (key, Entry { at, value, .. }) in later.in_order().into_iter().rev() {
            self.first -= 1;
            let rank = self.first;
            match self.entries.entry(key) {
                Slot::Occupied(mut slot) => {
                    let entry = slot.get_mut();
                    let earlier = Rc::unwrap_or_clone(std::mem::take(&mut entry.value));
                    let value = Rc::new(Rc::unwrap_or_clone(value).over(earlier));
                    *entry = Entry { rank, at, value };
                }
                Slot::Vacant(slot) => {
                    slot.insert(Entry { rank, at, value });
                }
            }
        }
    }

    /// Puts earlier entries after these.
    fn follow(&mut self, earlier: Object) {
        for (key, Entry { at, value, .. }) in earlier.in_order() {
            match self.entries.entry(key) {
                Slot::Occupied(mut slot) => {
                    let entry = slot.get_mut();
                    let later = Rc::unwrap_or_clone(std::mem::take(&mut entry.value));
                    entry.value = Rc::new(later.over(Rc::unwrap_or_clone(value)));
                }
                Slot::Vacant(slot) => {
                    slot.insert(Entry { rank: self.end, at, value });
                    self.end += 1;
                }
            }
        }
    }
}

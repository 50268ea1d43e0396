use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use marotte_pcore::value::Value as PuppetValue;

use crate::puppet::identity;

use super::cycles::{Holder, note};
use super::{Class, Key, Proc, Value, free};

/// The entries of a [`HashObject`], in the order of insertion.
pub type Entries = IndexMap<Key, Value, foldhash::fast::FixedState>;

/// A `Hash`.
#[derive(Debug, Default)]
pub struct HashObject {
    entries: RefCell<Entries>,
    frozen: Cell<bool>,
    default: RefCell<Option<Value>>,
    default_proc: RefCell<Option<Rc<Proc>>>,
    /// The Puppet value that the hash was made from.
    origin: RefCell<Option<PuppetValue>>,
    changed: Cell<bool>,
    /// The class of the hash's own methods.
    singleton: RefCell<Option<Rc<Class>>>,
    /// The number of running iterations over the hash.
    iterations: Cell<u32>,
    /// A counter that is incremented when entries may have moved.
    moves: Cell<u64>,
    /// Whether it was noted that the hash may contain itself.
    noted: Cell<bool>,
}

impl HashObject {
    /// A new hash with these entries; a later entry replaces an earlier one of the same key.
    pub(super) fn new(entries: impl IntoIterator<Item = (Value, Value)>) -> HashObject {
        let entries = entries.into_iter().map(|(key, value)| (Key::owned(key), value)).collect();
        let mut hash = HashObject::default();
        hash.entries = RefCell::new(entries);
        hash.changed = Cell::new(true);
        hash
    }

    /// The Ruby form of a Puppet hash.
    pub fn imported(entries: impl IntoIterator<Item = (Value, Value)>, origin: PuppetValue) -> HashObject {
        let hash = HashObject::new(entries);
        hash.stand_for(origin);
        hash
    }

    /// The Puppet value that represents the hash: the one that it was created from, or the one passed to Puppet code.
    pub fn origin(&self) -> Option<PuppetValue> {
        self.origin.borrow().clone()
    }

    /// The class of the methods that only this hash has (`extend`).
    pub fn singleton(&self) -> Option<Rc<Class>> {
        self.singleton.borrow().clone()
    }

    /// Gives the hash a class of its own.
    pub(crate) fn set_singleton(&self, class: Rc<Class>) {
        *self.singleton.borrow_mut() = Some(class);
    }

    /// Sets the Puppet value that represents the hash in its present state.
    pub(crate) fn stand_for(&self, value: PuppetValue) {
        *self.origin.borrow_mut() = Some(value);
        self.changed.set(false);
    }

    /// Whether the hash itself (not its contents) has changed since it was created, or its Puppet value was set.
    pub fn is_changed(&self) -> bool {
        self.changed.get()
    }

    /// The entries. Ruby code must not run while they are borrowed: use [`snapshot`](HashObject::snapshot) where it may.
    pub fn entries(&self) -> Ref<'_, Entries> {
        self.entries.borrow()
    }

    /// A copy of the entries.
    pub fn snapshot(&self) -> Vec<(Value, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.value().clone(), value.clone())).collect()
    }

    /// The value of a key, without regard to defaults.
    pub fn get(&self, key: &Value) -> Option<Value> {
        self.entries.borrow().get(&Key::new(key)).cloned()
    }

    /// The value of a symbol as key.
    pub fn get_symbol(&self, name: &str) -> Option<Value> {
        self.get(&Value::symbol(name))
    }

    /// Adds or replaces an entry. The caller ensures that the hash is not frozen. A string as key is stored as a frozen
    /// copy.
    pub fn insert(self: &Rc<Self>, key: Value, value: Value) {
        self.note_change();
        if key.is_nested() || value.is_nested() {
            self.note_holder();
        }
        self.entries.borrow_mut().insert(Key::owned(key), value);
    }

    /// Removes an entry, keeping the order of the others.
    pub fn remove(&self, key: &Value) -> Option<Value> {
        self.note_change();
        self.moves.set(self.moves.get() + 1);
        self.entries.borrow_mut().shift_remove(&Key::new(key))
    }

    /// Changes the entries in place. The caller ensures that the hash is not frozen.
    pub fn change<R>(self: &Rc<Self>, change: impl FnOnce(&mut Entries) -> R) -> R {
        self.note_change();
        self.note_holder();
        self.moves.set(self.moves.get() + 1);
        change(&mut self.entries.borrow_mut())
    }

    /// Marks the hash as iterated over until the guard is dropped: no keys may be added meanwhile.
    pub fn iterate(&self) -> Iteration<'_> {
        self.iterations.set(self.iterations.get() + 1);
        Iteration(self)
    }

    /// Whether an iteration over the hash is running.
    pub fn is_iterated(&self) -> bool {
        self.iterations.get() > 0
    }

    /// A number that changes whenever entries may have changed their positions.
    pub fn moves(&self) -> u64 {
        self.moves.get()
    }

    /// The value of the entry at a position from 0.
    pub fn value_at(&self, index: usize) -> Option<Value> {
        self.entries.borrow().get_index(index).map(|(_, value)| value.clone())
    }

    /// The keys, in order.
    pub fn keys(&self) -> Vec<Value> {
        self.entries.borrow().keys().map(|key| key.value().clone()).collect()
    }

    /// The values, in order.
    pub fn values(&self) -> Vec<Value> {
        self.entries.borrow().values().cloned().collect()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.borrow().is_empty()
    }

    /// The default value for missing keys, if the hash has no default block.
    pub fn default_value(&self) -> Option<Value> {
        self.default.borrow().clone()
    }

    /// Sets the default value for missing keys.
    pub fn set_default_value(self: &Rc<Self>, value: Value) {
        self.note_holder();
        *self.default.borrow_mut() = Some(value);
    }

    /// The default block for missing keys.
    pub fn default_proc(&self) -> Option<Rc<Proc>> {
        self.default_proc.borrow().clone()
    }

    /// Sets the default block for missing keys.
    pub fn set_default_proc(self: &Rc<Self>, block: Option<Rc<Proc>>) {
        self.note_holder();
        *self.default_proc.borrow_mut() = block;
    }

    fn note_change(&self) {
        if !self.changed.replace(true) && self.origin.borrow().is_some() {
            identity::note_change();
        }
    }

    fn note_holder(self: &Rc<Self>) {
        if !self.noted.replace(true) {
            note(Holder::Hash(Rc::downgrade(self)));
        }
    }

    /// Removes the entries and the defaults at the end of an evaluation.
    pub(super) fn empty(&self) {
        let entries = self.entries.take();
        if entries.iter().any(|(key, value)| key.value().is_nested() || value.is_nested()) {
            free(entries);
        }
        if let Some(block) = self.default_proc.take() {
            free(block);
        }
        if let Some(default) = self.default.take().filter(Value::is_nested) {
            free(default);
        }
    }

    /// Whether the hash is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// Freezes the hash.
    pub fn freeze(&self) {
        self.frozen.set(true);
    }
}

/// A running iteration over a [`HashObject`].
#[derive(Debug)]
pub struct Iteration<'a>(&'a HashObject);

impl Drop for Iteration<'_> {
    fn drop(&mut self) {
        self.0.iterations.set(self.0.iterations.get().saturating_sub(1));
    }
}

/// Deeply nested hashes are freed without recursion.
impl Drop for HashObject {
    fn drop(&mut self) {
        self.empty();
    }
}

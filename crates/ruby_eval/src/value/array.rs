use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;

use crate::puppet::identity;

use super::cycles::{Holder, note};
use super::{Value, free};

/// An `Array`.
#[derive(Debug, Default)]
pub struct ArrayObject {
    items: RefCell<Vec<Value>>,
    frozen: Cell<bool>,
    /// The Puppet value that the array was made from.
    origin: RefCell<Option<PuppetValue>>,
    changed: Cell<bool>,
    /// Whether it was noted that the array may contain itself.
    noted: Cell<bool>,
}

impl ArrayObject {
    /// A new array that can be changed.
    pub fn new(items: Vec<Value>) -> ArrayObject {
        ArrayObject {
            items: RefCell::new(items),
            frozen: Cell::new(false),
            origin: RefCell::default(),
            changed: Cell::new(false),
            noted: Cell::new(false),
        }
    }

    /// The Ruby form of a Puppet array.
    pub fn imported(items: Vec<Value>, origin: PuppetValue) -> ArrayObject {
        ArrayObject {
            items: RefCell::new(items),
            frozen: Cell::new(false),
            origin: RefCell::new(Some(origin)),
            changed: Cell::new(false),
            noted: Cell::new(false),
        }
    }

    /// The Puppet value that represents the array: the one that it was created from, or the one passed to Puppet code.
    pub fn origin(&self) -> Option<PuppetValue> {
        self.origin.borrow().clone()
    }

    /// Sets the Puppet value that represents the array in its present state.
    pub(crate) fn stand_for(&self, value: PuppetValue) {
        *self.origin.borrow_mut() = Some(value);
        self.changed.set(false);
    }

    /// Whether the array itself (not its contents) has changed since it was created, or its Puppet value was set.
    pub fn is_changed(&self) -> bool {
        self.changed.get()
    }

    /// The elements. Ruby code must not run while they are borrowed: use [`snapshot`](ArrayObject::snapshot), or
    /// [`get`](ArrayObject::get) in a loop, where it may.
    pub fn items(&self) -> Ref<'_, Vec<Value>> {
        self.items.borrow()
    }

    /// A copy of the elements.
    pub fn snapshot(&self) -> Vec<Value> {
        self.items.borrow().clone()
    }

    /// The element at an index from 0.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.items.borrow().get(index).cloned()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.items.borrow().is_empty()
    }

    /// Changes the elements in place. The caller ensures that the array is not frozen.
    pub fn change<R>(self: &Rc<Self>, change: impl FnOnce(&mut Vec<Value>) -> R) -> R {
        self.note_change();
        if !self.noted.replace(true) {
            note(Holder::Array(Rc::downgrade(self)));
        }
        change(&mut self.items.borrow_mut())
    }

    fn note_change(&self) {
        if !self.changed.replace(true) && self.origin.borrow().is_some() {
            identity::note_change();
        }
    }

    /// Removes the elements at the end of an evaluation.
    pub(super) fn empty(&self) {
        let items = self.items.take();
        if items.iter().any(Value::is_nested) {
            free(items);
        }
    }

    /// Whether the array is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// Freezes the array.
    pub fn freeze(&self) {
        self.frozen.set(true);
    }
}

/// Deeply nested arrays are freed without recursion.
impl Drop for ArrayObject {
    fn drop(&mut self) {
        self.empty();
    }
}

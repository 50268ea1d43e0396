use std::any::Any;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use super::cycles::{Holder, note};
use super::{Class, SymbolMap, Value, free};
use crate::Symbol;

/// An object of a class that has no representation of its own: instance variables, and the state of a built-in class.
#[derive(Debug)]
pub struct Object {
    class: RefCell<Rc<Class>>,
    variables: RefCell<SymbolMap<Value>>,
    data: RefCell<Box<dyn Data>>,
    frozen: Cell<bool>,
    /// A number shared by equal objects, if the class defines `hash` and `eql?` in Ruby and the object is a key.
    key: Cell<Option<u64>>,
    /// Whether it was noted that the object may contain itself.
    noted: Cell<bool>,
}

/// The state that a class written in Rust keeps in its objects. A class downcasts it with [`Object::data_as`].
pub trait Data: Any + fmt::Debug {
    /// Whether both are the same key of a hash (`eql?`).
    fn eql(&self, _other: &Ref<'_, Box<dyn Data>>) -> bool {
        false
    }

    /// The hash as a key; None for objects that are keys by identity.
    fn key_hash(&self) -> Option<u64> {
        None
    }

    /// Whether instance variables that are not set are variables of the Puppet scope, as in templates.
    fn reads_scope(&self) -> bool {
        false
    }

    /// A copy for `dup` and `clone`; None if the class does not allow copies here.
    fn copy(&self) -> Option<Box<dyn Data>> {
        None
    }
}

/// No state: objects of classes that are written in Ruby.
impl Data for () {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(()))
    }
}

impl Object {
    /// A new object without instance variables.
    pub fn new(class: Rc<Class>, data: impl Data) -> Rc<Object> {
        Object::boxed(class, Box::new(data))
    }

    /// A new object without instance variables.
    pub fn boxed(class: Rc<Class>, data: Box<dyn Data>) -> Rc<Object> {
        Rc::new(Object {
            class: RefCell::new(class),
            variables: RefCell::default(),
            data: RefCell::new(data),
            frozen: Cell::new(false),
            key: Cell::new(None),
            noted: Cell::new(false),
        })
    }

    /// The class, which is a singleton class if the object has methods of its own.
    pub fn class(&self) -> Rc<Class> {
        Rc::clone(&self.class.borrow())
    }

    /// Gives the object a singleton class.
    pub fn set_class(&self, class: Rc<Class>) {
        *self.class.borrow_mut() = class;
    }

    /// The value of an instance variable, by its name with the sign: `@name`.
    pub fn variable(&self, name: Symbol) -> Option<Value> {
        self.variables.borrow().get(&name).cloned()
    }

    /// Sets an instance variable.
    pub fn set_variable(self: &Rc<Self>, name: Symbol, value: Value) {
        if value.is_nested() {
            self.note_holder();
        }
        self.variables.borrow_mut().insert(name, value);
    }

    /// The instance variables, in the order in which they were set.
    pub fn variables(&self) -> Ref<'_, SymbolMap<Value>> {
        self.variables.borrow()
    }

    /// Changes the instance variables.
    pub fn variables_mut(self: &Rc<Self>) -> RefMut<'_, SymbolMap<Value>> {
        self.note_holder();
        self.variables.borrow_mut()
    }

    /// The state of a built-in class.
    pub fn data(&self) -> Ref<'_, Box<dyn Data>> {
        self.data.borrow()
    }

    /// The state, if it is of this type.
    pub fn data_as<T: Data>(&self) -> Option<Ref<'_, T>> {
        Ref::filter_map(self.data.borrow(), |it| (&**it as &dyn Any).downcast_ref()).ok()
    }

    /// The state for changing it, if it is of this type.
    pub fn data_as_mut<T: Data>(self: &Rc<Self>) -> Option<RefMut<'_, T>> {
        self.note_holder();
        RefMut::filter_map(self.data.borrow_mut(), |it| (&mut **it as &mut dyn Any).downcast_mut()).ok()
    }

    /// Replaces the state: for `initialize` of built-in classes.
    pub fn set_data(self: &Rc<Self>, data: impl Data) {
        self.note_holder();
        *self.data.borrow_mut() = Box::new(data);
    }

    fn note_holder(self: &Rc<Self>) {
        if !self.noted.replace(true) {
            note(Holder::Object(Rc::downgrade(self)));
        }
    }

    /// Removes the instance variables and the state at the end of an evaluation.
    pub(super) fn empty(&self) {
        free((self.variables.take(), self.data.replace(Box::new(()))));
    }

    /// The number that equal objects share as keys, if methods in Ruby decide on equality.
    pub(crate) fn key_number(&self) -> Option<u64> {
        self.key.get()
    }

    /// Sets the number that identifies equal objects as keys.
    pub(crate) fn set_key_number(&self, number: u64) {
        self.key.set(Some(number));
    }

    /// Whether the object is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// Freezes the object.
    pub fn freeze(&self) {
        self.frozen.set(true);
    }
}

/// Long chains of objects are freed without recursion.
impl Drop for Object {
    fn drop(&mut self) {
        self.empty();
    }
}

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{Proc, Value};
use crate::Symbol;
use crate::native::NativeMethod;
use crate::program::MethodCode;
use crate::vm::Context;

/// A class or module.
#[derive(Debug)]
pub struct Class {
    /// The full name, `Puppet::Util`; empty if it has none.
    pub name: RefCell<String>,
    /// Whether it is a class, a module or a singleton class.
    pub kind: ClassKind,
    /// The superclass. None for modules and `BasicObject`.
    pub superclass: Option<Rc<Class>>,
    /// The modules that were prepended, the last one first.
    pub prepended: RefCell<Vec<Rc<Class>>>,
    /// The modules that were included, the last one first.
    pub included: RefCell<Vec<Rc<Class>>>,
    /// Methods of instances.
    pub methods: RefCell<IndexMap<Symbol, Method>>,
    /// Methods of the class itself (`def self.name`), without those of its superclass.
    pub singleton_methods: RefCell<IndexMap<Symbol, Method>>,
    /// The modules that the class itself was extended by, the last one first.
    pub extended: RefCell<Vec<Rc<Class>>>,
    /// Constants, classes and modules in it.
    pub constants: RefCell<IndexMap<Symbol, Value>>,
    /// Class variables: `@@name`.
    pub class_variables: RefCell<IndexMap<Symbol, Value>>,
    /// Instance variables of the class itself.
    pub variables: RefCell<IndexMap<Symbol, Value>>,
    /// The class or module around it.
    pub parent: Option<Rc<Class>>,
    /// Whether Ruby code added or changed methods of a class that is built in.
    pub is_patched: Cell<bool>,
}

/// The kind of a [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// `class`
    Class,
    /// `module`
    Module,
    /// The class of one object's own methods.
    Singleton,
}

/// A method and who may call it.
#[derive(Clone, Debug)]
pub struct Method {
    /// The code.
    pub body: MethodBody,
    /// Who may call it.
    pub visibility: Visibility,
}

/// The code of a method.
#[derive(Clone, Debug)]
pub enum MethodBody {
    /// A method that is written in Rust.
    Native(&'static NativeMethod),
    /// `def`
    Code {
        /// The method.
        code: Arc<MethodCode>,
        /// The surroundings of `def`: the modules around it, in which constants are looked up.
        context: Rc<Context>,
    },
    /// `attr_reader`: reads the instance variable.
    Reader(Symbol),
    /// `attr_writer`: sets the instance variable.
    Writer(Symbol),
    /// `define_method`
    Proc(Rc<Proc>),
    /// `undef`: the method does not exist, not even in superclasses.
    Undefined,
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Anybody.
    Public,
    /// Methods of the same class.
    Protected,
    /// Only calls without a receiver, or on `self`.
    Private,
}

impl Class {
    /// A new class or module without methods.
    pub fn new(
        name: impl Into<String>,
        kind: ClassKind,
        superclass: Option<Rc<Class>>,
        parent: Option<Rc<Class>>,
    ) -> Rc<Class> {
        Rc::new(Class {
            name: RefCell::new(name.into()),
            kind,
            superclass,
            prepended: RefCell::default(),
            included: RefCell::default(),
            methods: RefCell::default(),
            singleton_methods: RefCell::default(),
            extended: RefCell::default(),
            constants: RefCell::default(),
            class_variables: RefCell::default(),
            variables: RefCell::default(),
            parent,
            is_patched: Cell::new(false),
        })
    }

    /// The name of the class, as messages and `inspect` show it.
    pub fn display_name(&self) -> String {
        match (&*self.name.borrow(), self.kind, &self.superclass) {
            (name, ..) if !name.is_empty() => name.clone(),
            (_, ClassKind::Singleton, Some(class)) => class.display_name(),
            (_, ClassKind::Module, _) => "#<Module>".to_owned(),
            _ => "#<Class>".to_owned(),
        }
    }

    /// The classes and modules in which methods of instances are looked up, in order.
    pub fn ancestors(self: &Rc<Class>) -> Vec<Rc<Class>> {
        let mut all = Vec::new();
        let mut class = Some(Rc::clone(self));
        while let Some(it) = class {
            it.own_ancestors(&mut all);
            class = it.superclass.clone();
        }
        all
    }

    fn own_ancestors(self: &Rc<Class>, all: &mut Vec<Rc<Class>>) {
        if all.iter().any(|it| Rc::ptr_eq(it, self)) {
            return;
        }
        let prepended = self.prepended.borrow().clone();
        prepended.iter().for_each(|it| it.own_ancestors(all));
        all.push(Rc::clone(self));
        let included = self.included.borrow().clone();
        included.iter().for_each(|it| it.own_ancestors(all));
    }

    /// Whether instances of this class are instances of the other.
    pub fn is_a(self: &Rc<Class>, other: &Rc<Class>) -> bool {
        self.ancestors().iter().any(|it| Rc::ptr_eq(it, other))
    }
}

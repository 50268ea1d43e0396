use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::{Object, Proc, Value};
use crate::Symbol;
use crate::native::{NativeClass, NativeMethod};
use crate::program::MethodCode;
use crate::vm::Lexical;

/// A class or module.
#[derive(Debug)]
pub struct Class {
    /// The full name, `Puppet::Util`; empty if it has none.
    pub name: RefCell<String>,
    /// Whether it is a class, a module or a singleton class.
    pub kind: ClassKind,
    /// The superclass. None for modules and `BasicObject`.
    pub superclass: Option<Rc<Class>>,
    /// The modules that were prepended, last one first.
    pub prepended: RefCell<Vec<Rc<Class>>>,
    /// The modules that were included, last one first.
    pub included: RefCell<Vec<Rc<Class>>>,
    /// Methods of instances that are written in Ruby, or were changed by Ruby code.
    pub methods: RefCell<SymbolMap<Method>>,
    /// Methods of instances that are written in Rust; a later table has precedence.
    pub(crate) natives: RefCell<Vec<&'static NativeTable>>,
    /// Methods of the class itself that are written in Rust.
    pub(crate) singleton_natives: RefCell<Vec<&'static NativeTable>>,
    /// The descriptions of a built-in class.
    pub(crate) descriptions: RefCell<Vec<&'static NativeClass>>,
    /// The class of the class itself, whose methods are `def self.name`; made when it is first needed.
    pub(crate) meta: RefCell<Option<Rc<Class>>>,
    /// The class, or the text of the object, whose own methods a singleton class has.
    pub(crate) attached: RefCell<Option<Attached>>,
    /// Constants, classes and modules in it.
    pub constants: RefCell<SymbolMap<Value>>,
    /// The names of its constants that only code within it can name (`private_constant`).
    pub(crate) private_constants: RefCell<Vec<Symbol>>,
    /// Class variables: `@@name`.
    pub class_variables: RefCell<SymbolMap<Value>>,
    /// Instance variables of the class itself.
    pub variables: RefCell<SymbolMap<Value>>,
    /// The class or module around it.
    pub parent: Option<Rc<Class>>,
    /// Whether Ruby code added or changed methods of a class that is built in.
    pub is_patched: Cell<bool>,
    /// A number that no other class has.
    pub(crate) id: u32,
    /// The classes and modules in which methods are looked up, at an epoch of the world.
    lookup_order: RefCell<(u32, Rc<[Rc<Class>]>)>,
    pub(crate) is_frozen: Cell<bool>,
}

/// Numbers of classes.
type Ids = HashSet<u32, foldhash::fast::FixedState>;

/// A map by names.
pub type SymbolMap<V> = IndexMap<Symbol, V, foldhash::fast::FixedState>;

/// The methods of one description of a class, by name: most programs never ask for those of most classes.
#[derive(Debug)]
pub(crate) struct NativeTable {
    lists: &'static [&'static [NativeMethod]],
    by_name: OnceLock<SymbolMap<&'static NativeMethod>>,
}

impl NativeTable {
    /// The table of the methods in these lists; of several methods with one name, the last is kept.
    pub(crate) fn new(lists: &'static [&'static [NativeMethod]]) -> NativeTable {
        NativeTable { lists, by_name: OnceLock::new() }
    }

    /// Whether there are no methods.
    pub(crate) fn is_empty(&self) -> bool {
        self.lists.iter().all(|it| it.is_empty())
    }

    fn all(&self) -> &SymbolMap<&'static NativeMethod> {
        self.by_name.get_or_init(|| {
            self.lists.iter().flat_map(|it| it.iter()).map(|it| (Symbol::new(it.name), it)).collect()
        })
    }

    /// The method of a name.
    pub(crate) fn get(&self, name: &Symbol) -> Option<&'static NativeMethod> {
        self.all().get(name).copied()
    }
}

/// The owner of a singleton class.
#[derive(Debug)]
pub(crate) enum Attached {
    Class(Weak<Class>),
    Object(Weak<Object>),
}

static NEXT_ID: AtomicU32 = AtomicU32::new(1);

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

/// A method with its visibility.
#[derive(Clone, Debug)]
pub struct Method {
    /// The code.
    pub body: MethodBody,
    /// The visibility.
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
        /// The modules around `def`, in which constants are looked up.
        lexical: Rc<Lexical>,
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

/// The visibility of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Callable by any code.
    Public,
    /// Callable by methods of the same class.
    Protected,
    /// Callable only without a receiver, or on `self`.
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
            natives: RefCell::default(),
            singleton_natives: RefCell::default(),
            descriptions: RefCell::default(),
            meta: RefCell::default(),
            attached: RefCell::default(),
            constants: RefCell::default(),
            private_constants: RefCell::default(),
            class_variables: RefCell::default(),
            variables: RefCell::default(),
            parent,
            is_patched: Cell::new(false),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            lookup_order: RefCell::new((0, Rc::new([]))),
            is_frozen: Cell::new(false),
        })
    }

    /// The name of the class, as messages and `inspect` show it.
    pub fn display_name(&self) -> String {
        match (&*self.name.borrow(), self.kind, &self.superclass) {
            (name, ..) if !name.is_empty() => name.clone(),
            (_, ClassKind::Singleton, Some(class)) => class.display_name(),
            (_, ClassKind::Module, _) => "#<Module:0x000000000000>".to_owned(),
            _ => "#<Class:0x000000000000>".to_owned(),
        }
    }

    /// The class itself, or the class of the object whose singleton class it is.
    pub fn without_singletons(self: &Rc<Class>) -> Rc<Class> {
        let mut class = Rc::clone(self);
        while class.kind == ClassKind::Singleton {
            match &class.superclass {
                Some(superclass) => class = Rc::clone(superclass),
                None => break,
            }
        }
        class
    }

    /// Whether the class is one of the interpreter's own.
    pub fn is_builtin(&self) -> bool {
        !self.descriptions.borrow().is_empty()
    }

    /// The method that the class itself has, without those of modules and superclasses.
    pub fn own_method(&self, name: Symbol) -> Option<Method> {
        if let Some(method) = self.methods.borrow().get(&name) {
            return Some(method.clone());
        }
        let natives = self.natives.borrow();
        let native = natives.iter().rev().find_map(|table| table.get(&name))?;
        Some(Method { body: MethodBody::Native(native), visibility: Visibility::Public })
    }

    /// The classes and modules in which methods of instances are looked up, cached for an epoch; `found` gets their number
    /// if they have to be searched.
    pub(crate) fn lookup_order(self: &Rc<Class>, epoch: u32, found: impl FnOnce(usize)) -> Rc<[Rc<Class>]> {
        if let (known, order) = &*self.lookup_order.borrow()
            && *known == epoch
        {
            return Rc::clone(order);
        }
        let order: Rc<[Rc<Class>]> = self.ancestors().into();
        found(order.len());
        *self.lookup_order.borrow_mut() = (epoch, Rc::clone(&order));
        order
    }

    /// Drops all references, so that classes that refer to each other are freed.
    pub(crate) fn clear(&self) {
        self.methods.borrow_mut().clear();
        self.constants.borrow_mut().clear();
        self.class_variables.borrow_mut().clear();
        self.variables.borrow_mut().clear();
        self.included.borrow_mut().clear();
        self.prepended.borrow_mut().clear();
        self.meta.borrow_mut().take();
        *self.lookup_order.borrow_mut() = (0, Rc::new([]));
    }

    /// The classes and modules in which methods of instances are looked up, in order.
    pub fn ancestors(self: &Rc<Class>) -> Vec<Rc<Class>> {
        let (mut all, mut known) = (Vec::new(), HashSet::default());
        let mut class = Some(Rc::clone(self));
        while let Some(it) = class {
            it.own_ancestors(&mut all, &mut known);
            class = it.superclass.clone();
        }
        all
    }

    fn own_ancestors(self: &Rc<Class>, all: &mut Vec<Rc<Class>>, known: &mut Ids) {
        if known.contains(&self.id) {
            return;
        }
        let prepended = self.prepended.borrow().clone();
        prepended.iter().for_each(|it| it.own_ancestors(all, known));
        known.insert(self.id);
        all.push(Rc::clone(self));
        let included = self.included.borrow().clone();
        included.iter().for_each(|it| it.own_ancestors(all, known));
    }

    /// The number of superclasses.
    pub(crate) fn depth(&self) -> usize {
        std::iter::successors(self.superclass.as_ref(), |it| it.superclass.as_ref()).count()
    }

    /// Whether instances of this class are instances of the other.
    pub fn is_a(self: &Rc<Class>, other: &Rc<Class>) -> bool {
        // Whether modules that include others were left out.
        let mut is_deep = false;
        let mut class = Some(self);
        while let Some(it) = class {
            if Rc::ptr_eq(it, other) {
                return true;
            }
            if other.kind == ClassKind::Module {
                for module in it.prepended.borrow().iter().chain(it.included.borrow().iter()) {
                    if Rc::ptr_eq(module, other) {
                        return true;
                    }
                    is_deep |= !module.included.borrow().is_empty() || !module.prepended.borrow().is_empty();
                }
            }
            class = it.superclass.as_ref();
        }
        is_deep && self.ancestors().iter().any(|it| Rc::ptr_eq(it, other))
    }
}

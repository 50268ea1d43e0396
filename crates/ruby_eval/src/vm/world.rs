use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;
use marotte_text::Str;

use crate::builtins;
use crate::native::{NativeClass, NativeMethod};
use crate::puppet;
use crate::stop::{Result, Stop};
use crate::value::{Class, ClassKind, Method, MethodBody, Visibility};
use crate::{Symbol, Value};

/// Everything that lives as long as one evaluation of the host: classes and their methods, globals, loaded files, budgets.
#[derive(Debug)]
pub struct World {
    /// `Object`, whose constants are those of the top level.
    pub object: Rc<Class>,
    /// Built-in classes by full name.
    classes: HashMap<&'static str, Rc<Class>, foldhash::fast::FixedState>,
    /// Global variables by name with the sign: `$name`.
    pub globals: RefCell<IndexMap<Symbol, Value>>,
    /// The files that `require` has loaded.
    pub loaded: RefCell<IndexMap<Str, Value>>,
    /// Functions that have been loaded, and values that came from Puppet.
    pub puppet: puppet::State,
    /// The operations that run for values that may contain themselves, with the addresses of the values.
    pub(crate) running: RefCell<Vec<(&'static str, usize)>>,
    /// The generator of `rand` after `srand`.
    pub(crate) random: RefCell<Option<Value>>,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    next_tag: Cell<u64>,
    next_object_id: Cell<i64>,
}

/// The steps that one evaluation may take.
const STEPS: u64 = 50_000_000;
/// The bytes that one evaluation may allocate in strings and collections.
const BYTES: u64 = 1 << 30;

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// A world with the built-in classes.
    pub fn new() -> World {
        let basic = Class::new("BasicObject", ClassKind::Class, None, None);
        let object = Class::new("Object", ClassKind::Class, Some(Rc::clone(&basic)), None);
        let mut world = World {
            object: Rc::clone(&object),
            classes: HashMap::default(),
            globals: RefCell::default(),
            loaded: RefCell::default(),
            puppet: puppet::State::default(),
            running: RefCell::default(),
            random: RefCell::default(),
            steps: Cell::new(STEPS),
            bytes: Cell::new(BYTES),
            next_tag: Cell::new(1),
            next_object_id: Cell::new(8),
        };
        world.classes.insert("BasicObject", basic);
        world.classes.insert("Object", object);
        builtins::CLASSES.iter().for_each(|it| world.define(it));
        world
    }

    /// Defines a built-in class. Superclasses, modules that it includes and modules around it come before it in the list.
    fn define(&mut self, description: &'static NativeClass) {
        let named = |name: &str| self.classes.get(name).map(Rc::clone);
        let class = match named(description.name) {
            Some(class) => class,
            None => {
                let kind = match description.superclass {
                    Some(_) => ClassKind::Class,
                    None => ClassKind::Module,
                };
                let (parent, own_name) = match description.name.rsplit_once("::") {
                    Some((parent, name)) => (named(parent), name),
                    None => (Some(Rc::clone(&self.object)), description.name),
                };
                let superclass = description.superclass.and_then(named);
                let class = Class::new(description.name, kind, superclass, parent.clone());
                if let Some(parent) = parent {
                    parent.constants.borrow_mut().insert(own_name.into(), Value::Class(Rc::clone(&class)));
                }
                self.classes.insert(description.name, Rc::clone(&class));
                class
            }
        };
        if matches!(description.name, "Object" | "BasicObject") {
            let constants = &self.object.constants;
            constants.borrow_mut().insert(description.name.into(), Value::Class(Rc::clone(&class)));
        }
        for module in description.includes {
            if let Some(module) = self.classes.get(module) {
                class.included.borrow_mut().insert(0, Rc::clone(module));
            }
        }
        let table = |tables: &'static [&'static [NativeMethod]], into: &RefCell<IndexMap<Symbol, Method>>| {
            let mut methods = into.borrow_mut();
            for native in tables.iter().flat_map(|it| it.iter()) {
                let method = Method { body: MethodBody::Native(native), visibility: Visibility::Public };
                methods.insert(native.name.into(), method);
            }
        };
        table(description.methods, &class.methods);
        table(description.singleton_methods, &class.singleton_methods);
    }

    /// A built-in class by its full name. `Object` if there is none of this name, which a test of the list rules out.
    pub fn class(&self, name: &str) -> &Rc<Class> {
        self.classes.get(name).unwrap_or(&self.object)
    }

    /// Whether there is a built-in class of this full name.
    pub fn has_class(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// Forgets which methods calls have found, after methods have been added or changed.
    pub fn methods_changed(&self) {}

    /// A tag that no frame has had.
    pub fn new_tag(&self) -> u64 {
        self.next_tag.replace(self.next_tag.get() + 1)
    }

    /// An `object_id` that no object has had.
    pub fn new_object_id(&self) -> i64 {
        self.next_object_id.replace(self.next_object_id.get() + 8)
    }

    /// Takes steps from the budget: one for each call, turn of a loop, or element that is looked at.
    ///
    /// # Errors
    /// If none are left.
    pub fn spend(&self, steps: usize) -> Result<()> {
        match self.steps.get().checked_sub(steps as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => exhausted("the Ruby code takes too many steps"),
        }
    }

    /// Takes bytes from the budget, before a string or collection of this size is made.
    ///
    /// # Errors
    /// If they are not left.
    pub fn allocate(&self, bytes: usize) -> Result<()> {
        match self.bytes.get().checked_sub(bytes as u64) {
            Some(left) => {
                self.bytes.set(left);
                Ok(())
            }
            None => exhausted("the Ruby code takes too much memory"),
        }
    }
}

fn exhausted<T>(message: &str) -> Result<T> {
    Err(Box::new(Stop::Exhausted(message.to_owned())))
}

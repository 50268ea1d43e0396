use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};
use std::sync::LazyLock;

use indexmap::IndexMap;
use marotte_text::Str;

use super::frame::Context;
use super::recursion::Running;
use crate::builtins;
use crate::native::NativeClass;
use crate::puppet;
use crate::stop::{Result, Stop, Unsupported};
use crate::value::{Attached, Class, ClassKind, Evaluation, Method, NativeTable, Object, SymbolMap};
use crate::{Symbol, Value};

/// Methods by the number of their class and their name.
type MissingMethods = HashSet<(u32, Symbol), foldhash::fast::FixedState>;

/// Everything that lives as long as one evaluation of the host: classes and their methods, globals, loaded files, budgets.
pub struct World {
    /// `Object`, whose constants are those of the top level.
    pub object: Rc<Class>,
    /// The classes of values that have a representation of their own.
    pub(crate) core: Core,
    /// Built-in classes by full name.
    classes: HashMap<&'static str, Rc<Class>, foldhash::fast::FixedState>,
    /// All existing classes, to be cleared at the end.
    all: RefCell<Vec<Weak<Class>>>,
    /// Variables that a block has captured, to be cleared at the end.
    kept: RefCell<Vec<Weak<Context>>>,
    /// Global variables by name with the sign: `$name`.
    pub globals: RefCell<SymbolMap<Value>>,
    /// Aliases of global variables.
    pub(crate) global_aliases: RefCell<SymbolMap<Symbol>>,
    /// The files that `require` has loaded.
    pub loaded: RefCell<IndexMap<Str, Value>>,
    /// The files that were not evaluated to their ends, by path, with the reasons.
    unfinished: RefCell<HashMap<Str, Unsupported>>,
    /// Functions that have been loaded, and values that came from Puppet.
    pub puppet: puppet::State,
    /// The operations running on values that may contain themselves, with the addresses of the values.
    pub(super) running: RefCell<HashSet<Running, foldhash::fast::FixedState>>,
    /// The number of active methods and blocks, in all evaluations that are running.
    pub(super) active: Cell<u32>,
    /// The number of nested methods and operations in Rust that are running, in all evaluations.
    pub(super) nested: Cell<u32>,
    /// The sources of the regular expressions that were compiled last.
    pub(crate) compiled: RefCell<HashSet<Box<str>, foldhash::fast::FixedState>>,
    /// The number of modules that the code has created.
    pub(super) modules: Cell<usize>,
    /// The generator of `rand` after `srand`.
    pub(crate) random: RefCell<Option<Value>>,
    /// Changes whenever a method is defined or a module included.
    pub(crate) epoch: Cell<u32>,
    pub(super) methods: RefCell<Vec<CachedMethod>>,
    /// The methods that neither the program nor real Ruby has, by the number of the class, and the epoch of that.
    missing: RefCell<(u32, MissingMethods)>,
    /// Whether operators of built-in classes may have been changed by Ruby code.
    pub(crate) has_changed_operators: Cell<bool>,
    /// Whether code may have unknown values.
    pub(crate) has_unknown: Cell<bool>,
    /// Shared by all objects with unknown values.
    pub(super) unknowns: Rc<()>,
    /// The number of evaluations that are running, each within a call of the one before.
    pub(crate) depth: Cell<u32>,
    /// How often code was not evaluated to its end, which may have changed variables that outlive an evaluation.
    pub(crate) doubts: Cell<u32>,
    /// The tags of the active `catch` blocks, in all evaluations that are running.
    pub(crate) catching: RefCell<Vec<Value>>,
    /// Whether the running built-in method stores or ignores the results of its block.
    pub(crate) keeps_results: Cell<bool>,
    /// The number of symbols that may still be created.
    pub(crate) symbols_left: Cell<u32>,
    /// The remaining budget of the current call from the host.
    left: Cell<Budget>,
    /// The remaining budget for calls that have not started yet.
    left_for_all: Cell<Budget>,
    /// The steps of calls that have ended, which the host has not asked for yet.
    spent: Cell<u64>,
    /// The number of running key comparisons by methods in Ruby.
    pub(crate) hashing: Cell<u32>,
    /// The first one of each group of equal objects that are keys by methods in Ruby, by their `hash`.
    pub(crate) own_keys: RefCell<HashMap<i64, Vec<Rc<Object>>>>,
    next_tag: Cell<u64>,
    next_object_id: Cell<i64>,
    /// Frees what contains itself. The last field, so that everything else is gone by then.
    _evaluation: Evaluation,
}

impl std::fmt::Debug for World {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("World")
    }
}

/// Steps, and bytes in strings and collections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    steps: u64,
    bytes: u64,
}

impl Budget {
    fn at_most(self, other: Budget) -> Budget {
        Budget { steps: self.steps.min(other.steps), bytes: self.bytes.min(other.bytes) }
    }
}

/// The classes of values that have a representation of their own.
pub(crate) struct Core {
    pub(crate) nil: Rc<Class>,
    pub(crate) true_: Rc<Class>,
    pub(crate) false_: Rc<Class>,
    pub(crate) integer: Rc<Class>,
    pub(crate) float: Rc<Class>,
    pub(crate) symbol: Rc<Class>,
    pub(crate) string: Rc<Class>,
    pub(crate) array: Rc<Class>,
    pub(crate) hash: Rc<Class>,
    pub(crate) range: Rc<Class>,
    pub(crate) regexp: Rc<Class>,
    pub(crate) match_data: Rc<Class>,
    pub(crate) proc: Rc<Class>,
    pub(crate) module: Rc<Class>,
    pub(crate) class: Rc<Class>,
}

/// The result of a method lookup.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The class or module that has the method.
    pub(crate) owner: Rc<Class>,
    /// The method.
    pub(crate) method: Method,
}

/// An entry of the method cache.
#[derive(Clone, Default)]
pub(super) struct CachedMethod {
    pub(super) class: u32,
    pub(super) epoch: u32,
    pub(super) name: Option<Symbol>,
    pub(super) entry: Option<Rc<Entry>>,
}

/// The number of entries of the method cache, a power of two.
pub(super) const CACHE: usize = 2048;
/// The budget of one call from the host; nested calls from the host have their own.
const CALL: Budget = Budget { steps: 5_000_000, bytes: 256 << 20 };
/// The budget of all calls from the host together.
const ALL: Budget = Budget { steps: 300_000_000, bytes: 16 << 30 };
/// The number of symbols that one evaluation may create from texts.
const SYMBOLS: u32 = 100_000;

/// The methods of built-in classes, one pair of tables for each description: of instances, and of the class itself.
static TABLES: LazyLock<Vec<(NativeTable, NativeTable)>> = LazyLock::new(|| {
    builtins::all().map(|it| (NativeTable::new(it.methods), NativeTable::new(it.singleton_methods))).collect()
});

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for context in self.kept.take().iter().filter_map(Weak::upgrade) {
            context.locals.take();
        }
        for class in self.all.take().iter().filter_map(Weak::upgrade) {
            class.clear();
        }
        self.globals.take();
    }
}

impl World {
    /// Creates a world with the built-in classes.
    pub fn new() -> World {
        let basic = Class::new("BasicObject", ClassKind::Class, None, None);
        let object = Class::new("Object", ClassKind::Class, Some(Rc::clone(&basic)), None);
        let mut classes = HashMap::default();
        let mut all = vec![Rc::downgrade(&basic), Rc::downgrade(&object)];
        classes.insert("BasicObject", basic);
        classes.insert("Object", Rc::clone(&object));
        for (description, tables) in builtins::all().zip(&*TABLES) {
            define(&mut classes, &mut all, &object, description, tables);
        }
        let core = |name: &str| Rc::clone(classes.get(name).unwrap_or(&object));
        World {
            core: Core {
                nil: core("NilClass"),
                true_: core("TrueClass"),
                false_: core("FalseClass"),
                integer: core("Integer"),
                float: core("Float"),
                symbol: core("Symbol"),
                string: core("String"),
                array: core("Array"),
                hash: core("Hash"),
                range: core("Range"),
                regexp: core("Regexp"),
                match_data: core("MatchData"),
                proc: core("Proc"),
                module: core("Module"),
                class: core("Class"),
            },
            object,
            classes,
            all: RefCell::new(all),
            kept: RefCell::default(),
            globals: RefCell::default(),
            global_aliases: RefCell::default(),
            loaded: RefCell::default(),
            unfinished: RefCell::default(),
            puppet: puppet::State::default(),
            running: RefCell::default(),
            active: Cell::new(0),
            nested: Cell::new(0),
            compiled: RefCell::default(),
            modules: Cell::new(0),
            random: RefCell::default(),
            epoch: Cell::new(1),
            methods: RefCell::new(vec![CachedMethod::default(); CACHE]),
            missing: RefCell::default(),
            has_changed_operators: Cell::new(false),
            has_unknown: Cell::new(false),
            unknowns: Rc::default(),
            catching: RefCell::default(),
            keeps_results: Cell::new(false),
            depth: Cell::new(0),
            doubts: Cell::new(0),
            symbols_left: Cell::new(SYMBOLS),
            left: Cell::new(ALL),
            left_for_all: Cell::new(ALL),
            spent: Cell::new(0),
            hashing: Cell::new(0),
            own_keys: RefCell::default(),
            next_tag: Cell::new(1),
            next_object_id: Cell::new(8),
            _evaluation: Evaluation::start(),
        }
    }

    /// A new class or module of Ruby code.
    pub(crate) fn new_class(
        &self,
        name: impl Into<String>,
        kind: ClassKind,
        superclass: Option<Rc<Class>>,
        parent: Option<Rc<Class>>,
    ) -> Rc<Class> {
        let class = Class::new(name, kind, superclass, parent);
        self.all.borrow_mut().push(Rc::downgrade(&class));
        class
    }

    /// The class of a class or module, which has its singleton methods.
    pub(crate) fn meta(&self, class: &Rc<Class>) -> Rc<Class> {
        if let Some(meta) = &*class.meta.borrow() {
            return Rc::clone(meta);
        }
        let superclass = match (class.kind, &class.superclass) {
            (ClassKind::Class, Some(superclass)) => self.meta(superclass),
            (ClassKind::Class, None) | (ClassKind::Singleton, _) => Rc::clone(&self.core.class),
            (ClassKind::Module, _) => Rc::clone(&self.core.module),
        };
        let meta = self.new_class("", ClassKind::Singleton, Some(superclass), None);
        *meta.attached.borrow_mut() = Some(Attached::Class(Rc::downgrade(class)));
        meta.natives.borrow_mut().extend(class.singleton_natives.borrow().iter());
        meta.descriptions.borrow_mut().extend(class.descriptions.borrow().iter());
        *class.meta.borrow_mut() = Some(Rc::clone(&meta));
        meta
    }

    /// Registers the variables of a method that a block still refers to.
    pub(crate) fn keep(&self, context: &Rc<Context>) {
        /// The memory for them, in bytes.
        const CONTEXT: u64 = 400;
        let left = self.left.get();
        // An exhausted budget is noticed at the next string or collection.
        self.left.set(Budget { bytes: left.bytes.saturating_sub(CONTEXT), ..left });
        self.kept.borrow_mut().push(Rc::downgrade(context));
    }

    /// Records that a method of a class was defined, or a module included.
    pub(crate) fn class_changed(&self, class: &Rc<Class>, name: Option<Symbol>) {
        self.methods_changed();
        if class.is_builtin() || class.kind == ClassKind::Module {
            class.is_patched.set(true);
            let name = name.map(Symbol::name);
            let is_operator =
                |it: &str| !it.starts_with(|first: char| first.is_alphanumeric() || first == '_');
            // Of the operators of strings, only these have fast paths.
            let is_quick =
                |it: &str| !Rc::ptr_eq(class, &self.core.string) || matches!(it, "==" | "!=" | "<<");
            if name.is_none_or(|it| is_operator(&it) && is_quick(&it)) {
                self.has_changed_operators.set(true);
            }
        }
    }

    /// The symbol of a name from Ruby code; their number is limited.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub fn intern(&self, name: &str) -> Result<Symbol> {
        if let Some(symbol) = Symbol::existing(name) {
            return Ok(symbol);
        }
        match self.symbols_left.get().checked_sub(1) {
            Some(left) => {
                self.symbols_left.set(left);
                self.allocate(name.len())?;
                Ok(Symbol::new(name))
            }
            None => exhausted("the Ruby code makes too many symbols"),
        }
    }

    /// A built-in class by its full name. `Object` if there is none of this name, which a test of the list rules out.
    pub fn class(&self, name: &str) -> &Rc<Class> {
        self.classes.get(name).unwrap_or(&self.object)
    }

    /// Whether there is a built-in class of this full name.
    pub fn has_class(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// Notes that code was not evaluated to its end: what it may have kept is not known from now on.
    pub fn doubt_kept_state(&self) {
        self.doubts.set(self.doubts.get().saturating_add(1));
    }

    /// The reason why a file was not evaluated to its end. None if it was, or was not loaded yet.
    pub(crate) fn unfinished(&self, path: &str) -> Option<Unsupported> {
        self.unfinished.borrow().get(path).cloned()
    }

    /// Whether a file was not evaluated to its end: what it has defined is not known.
    pub fn is_unfinished(&self, path: &str) -> bool {
        self.unfinished.borrow().contains_key(path)
    }

    /// A file that was not evaluated to its end, which may define anything.
    pub(super) fn any_unfinished(&self) -> Option<Str> {
        self.unfinished.borrow().keys().min().cloned()
    }

    /// Records that a file was not evaluated to its end.
    pub(super) fn note_unfinished(&self, path: &Str, reason: Unsupported) {
        self.unfinished.borrow_mut().entry(path.clone()).or_insert(reason);
    }

    /// Clears the method cache, after methods have been added or changed.
    pub fn methods_changed(&self) {
        self.epoch.set(self.epoch.get().wrapping_add(1).max(1));
    }

    /// Whether a method is known to be missing from a class, also in real Ruby.
    pub(super) fn is_missing(&self, method: (u32, Symbol)) -> bool {
        let (epoch, missing) = &*self.missing.borrow();
        *epoch == self.epoch.get() && missing.contains(&method)
    }

    /// Records that a method is missing from a class, also in real Ruby.
    pub(super) fn note_missing(&self, method: (u32, Symbol)) {
        /// The maximum number of recorded methods.
        const MOST: usize = 1_000;
        let (epoch, missing) = &mut *self.missing.borrow_mut();
        if *epoch != self.epoch.get() || missing.len() >= MOST {
            *epoch = self.epoch.get();
            missing.clear();
        }
        missing.insert(method);
    }

    /// Creates a tag that no frame has had.
    pub fn new_tag(&self) -> u64 {
        self.next_tag.replace(self.next_tag.get() + 1)
    }

    /// Creates an `object_id` that no object has had.
    pub fn new_object_id(&self) -> i64 {
        self.next_object_id.replace(self.next_object_id.get() + 8)
    }

    /// Starts the budget of a call from the host; returns the remaining budget of the enclosing call.
    pub(super) fn enter(&self) -> Budget {
        if self.depth.get() == 0 {
            self.keeps_results.set(false);
            self.forget_unknowns();
        }
        self.depth.set(self.depth.get() + 1);
        self.left.replace(CALL.at_most(self.left_for_all.get()))
    }

    /// Ends a call from the host: the enclosing call continues with its remaining budget.
    pub(super) fn leave(&self, around: Budget) {
        self.depth.set(self.depth.get().saturating_sub(1));
        let all = self.left_for_all.get();
        let left = self.left.replace(around);
        let granted = CALL.at_most(all);
        self.spent.set(self.spent.get() + granted.steps.saturating_sub(left.steps));
        self.left_for_all.set(Budget {
            steps: all.steps - granted.steps.saturating_sub(left.steps).min(all.steps),
            bytes: all.bytes - granted.bytes.saturating_sub(left.bytes).min(all.bytes),
        });
    }

    /// The steps of the calls from the host that have ended since the last time that it asked.
    pub fn take_spent(&self) -> u64 {
        self.spent.take()
    }

    /// Takes steps from the budget: one for each call, loop iteration, or element that is processed.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn spend(&self, steps: usize) -> Result<()> {
        let left = self.left.get();
        match left.steps.checked_sub(steps as u64) {
            Some(steps) => {
                self.left.set(Budget { steps, ..left });
                Ok(())
            }
            None => exhausted("the Ruby code takes too many steps"),
        }
    }

    /// Takes steps from the budget where there is no way to fail: if they exceed it, the next step fails.
    pub(crate) fn charge(&self, steps: usize) {
        let left = self.left.get();
        self.left.set(Budget { steps: left.steps.saturating_sub(steps as u64), ..left });
    }

    /// Takes bytes from the budget, before a string or collection of this size is created.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn allocate(&self, bytes: usize) -> Result<()> {
        let left = self.left.get();
        match left.bytes.checked_sub(bytes as u64) {
            Some(bytes) => {
                self.left.set(Budget { bytes, ..left });
                Ok(())
            }
            None => exhausted("the Ruby code takes too much memory"),
        }
    }
}

/// Defines a built-in class. Its superclass, included modules and enclosing modules precede it in the list.
fn define(
    classes: &mut HashMap<&'static str, Rc<Class>, foldhash::fast::FixedState>,
    all: &mut Vec<Weak<Class>>,
    object: &Rc<Class>,
    description: &'static NativeClass,
    (methods, singleton_methods): &'static (NativeTable, NativeTable),
) {
    let named = |name: &str| classes.get(name).map(Rc::clone);
    let class = match named(description.name) {
        Some(class) => class,
        None => {
            let kind = match description.superclass {
                Some(_) => ClassKind::Class,
                None => ClassKind::Module,
            };
            let (parent, own_name) = match description.name.rsplit_once("::") {
                Some((parent, name)) => (named(parent), name),
                None => (Some(Rc::clone(object)), description.name),
            };
            let superclass = description.superclass.and_then(named);
            let class = Class::new(description.name, kind, superclass, parent.clone());
            if let Some(parent) = parent {
                parent.constants.borrow_mut().insert(own_name.into(), Value::Class(Rc::clone(&class)));
            }
            all.push(Rc::downgrade(&class));
            classes.insert(description.name, Rc::clone(&class));
            class
        }
    };
    if matches!(description.name, "Object" | "BasicObject") {
        object.constants.borrow_mut().insert(description.name.into(), Value::Class(Rc::clone(&class)));
    }
    for module in description.includes {
        if let Some(module) = classes.get(module) {
            class.included.borrow_mut().insert(0, Rc::clone(module));
        }
    }
    if !methods.is_empty() {
        class.natives.borrow_mut().push(methods);
    }
    if !singleton_methods.is_empty() {
        class.singleton_natives.borrow_mut().push(singleton_methods);
    }
    class.descriptions.borrow_mut().push(description);
}

pub(super) fn exhausted<T>(message: &str) -> Result<T> {
    Err(Box::new(Stop::Exhausted(message.to_owned())))
}

//! The names of methods and classes of real Ruby, which distinguish what is not implemented from what does not exist.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::LazyLock;

use super::Vm;
use crate::stop::{Result, unsupported};
use crate::value::{Class, ClassKind};
use crate::{Symbol, Value};

/// The names of methods, for each class: `Class#` for those of instances, `Class.` for those of the class itself.
type Names = HashMap<&'static str, Vec<&'static str>, foldhash::fast::FixedState>;

/// One line for each class and module: its name with `#` or `.`, then the names of its own methods in order.
static KNOWN: LazyLock<Names> = LazyLock::new(|| {
    let lines = include_str!("../../data/methods.txt").lines().filter(|it| !it.starts_with("//"));
    lines
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.collect()))
        })
        .collect()
});

/// Whether real Ruby has a class or module of this full name.
pub(crate) fn is_known_class(name: &str) -> bool {
    KNOWN.contains_key(&*format!("{name}#"))
}

/// Whether any class or module of real Ruby, or of Puppet, has a method of this name, for instances or itself.
pub(crate) fn is_method_of_any(name: &str) -> bool {
    static ALL: LazyLock<HashSet<&'static str, foldhash::fast::FixedState>> =
        LazyLock::new(|| KNOWN.values().flatten().copied().collect());
    ALL.contains(name)
}

/// Returns the names of real Ruby's methods for a key: `Class#` or `Class.`.
pub(crate) fn known_methods(key: &str) -> impl Iterator<Item = &'static str> + use<> {
    KNOWN.get(key).into_iter().flatten().copied()
}

/// Whether real Ruby has a method of this name, for a key: `Class#` or `Class.`.
pub(crate) fn is_known_method(key: &str, name: &str) -> bool {
    KNOWN.get(key).is_some_and(|names| names.binary_search(&name).is_ok())
}

/// Whether a built-in class is one of Puppet's, whose methods are not listed. Scopes and contexts answer all calls, and
/// methods that templates and functions call on `self` may not exist.
pub(crate) fn is_of_puppet(name: &str) -> bool {
    let within =
        |outer: &str| name.strip_prefix(outer).is_some_and(|it| it.is_empty() || it.starts_with("::"));
    let may_lack =
        ["Puppet::Parser", "Puppet::LookupContext", "Puppet::Functions", "Puppet::Pops::Functions"];
    (within("Puppet") || within("SemanticPuppet")) && !may_lack.into_iter().any(within)
}

/// Libraries that can be required, although they add methods to other classes that are neither implemented nor listed.
const UNLISTED: [&str; 16] = [
    "digest/bubblebabble",
    "expect",
    "io/console",
    "json/add/core",
    "json/pure",
    "matrix",
    "multi_json",
    "objspace",
    "pp",
    "prime",
    "rational",
    "readline",
    "reline",
    "toml",
    "un",
    "win32ole",
];

/// Whether a library may add a method of this name to a class of another one.
fn may_add(library: &str, name: &str) -> bool {
    UNLISTED.contains(&library) && (library != "pp" || name.starts_with("pretty_"))
}

impl Vm<'_> {
    /// Ends the evaluation if a file that was not evaluated to its end may define the name that was not found.
    pub(super) fn check_unfinished(&self, name: Symbol) -> Result<()> {
        match self.world.any_unfinished() {
            Some(path) => unsupported(format!("{name}, which {path} may define")),
            None => Ok(()),
        }
    }

    /// Ends the evaluation if a library that was loaded may have the method that was not found.
    pub(crate) fn check_libraries(&self, name: Symbol) -> Result<()> {
        self.check_unfinished(name)?;
        let text = name.name();
        let library = self.world.loaded.borrow().keys().find(|it| may_add(it, &text)).cloned();
        match library {
            Some(library) => unsupported(format!("{text}, which the library {library} may add")),
            None => Ok(()),
        }
    }

    /// Ends the evaluation if real Ruby has the method that was not found.
    pub(crate) fn check_known(&mut self, receiver: &Value, name: Symbol) -> Result<()> {
        match self.known_method(receiver, name) {
            Some(construct) => unsupported(construct),
            None => Ok(()),
        }
    }

    /// The method of real Ruby that a call would find, as `String#encode`.
    pub(crate) fn known_method(&mut self, receiver: &Value, name: Symbol) -> Option<String> {
        let key = (self.class_of(receiver).id, name);
        if self.world.is_missing(key) {
            return None;
        }
        let known = self.find_known_method(receiver, name);
        if known.is_none() {
            self.world.note_missing(key);
        }
        known
    }

    fn find_known_method(&mut self, receiver: &Value, name: Symbol) -> Option<String> {
        let text = name.name();
        if let Value::Class(class) = receiver {
            for it in class.ancestors() {
                let full = it.name.borrow();
                if it.is_builtin() && is_of_puppet(&full) {
                    return Some(format!("{full}.{text}"));
                }
                if is_known_method(&format!("{full}."), &text) {
                    return Some(format!("{full}.{text}"));
                }
            }
        }
        self.known_instance_method(&self.class_of(receiver), name)
    }

    fn known_instance_method(&mut self, class: &Rc<Class>, name: Symbol) -> Option<String> {
        let text = name.name();
        for it in class.ancestors() {
            // An `undef` in between means that there is no such method.
            if it.methods.borrow().get(&name).is_some() {
                return None;
            }
            let full = it.name.borrow();
            if it.is_builtin() && is_of_puppet(&full) {
                return Some(format!("{full}#{text}"));
            }
            if is_known_method(&format!("{full}#"), &text) {
                return Some(format!("{full}#{text}"));
            }
        }
        None
    }

    /// Ends the evaluation if instances of a class have a method in real Ruby that was not found.
    pub(crate) fn check_known_instance(&mut self, class: &Rc<Class>, name: Symbol) -> Result<()> {
        let attached = match class.kind {
            ClassKind::Singleton => Vm::attached(class),
            _ => None,
        };
        let known = match attached {
            Some(object) => self.known_method(&object, name),
            None => self.known_instance_method(class, name),
        };
        match known {
            Some(construct) => unsupported(construct),
            None => Ok(()),
        }
    }
}

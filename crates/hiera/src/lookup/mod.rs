//! Lookups: from a key to its value (G1, G7, G8, G11–G13, G16, G18).

mod dig;
mod invocation;
mod legacy;
mod level;
mod options;
mod provider;
mod search;

pub(crate) use invocation::{Collected, Invocation, LookupResult};

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::mismatch::assert_instance_of;
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::explain::{Explainer, Selection, Step};
use crate::{Fault, Layer, LookupError, LookupHost};
use options::Options;
use provider::Provider;

/// The caches of one compilation's lookups. Lookups may start lookups, through functions: nothing in it is borrowed
/// while the outside is called.
#[derive(Default)]
pub struct Hiera {
    layers: RefCell<HashMap<Layer, Option<Rc<Provider>>>>,
    /// `lookup_options`, by the module of keys.
    options: RefCell<HashMap<Option<Str>, Option<Rc<Options>>>>,
    global_options: RefCell<Option<Option<Arc<Hash>>>>,
    environment_options: RefCell<Option<Option<Arc<Hash>>>>,
    /// `lookup_options` of default hierarchies, by module.
    default_options: RefCell<HashMap<Str, Option<Rc<Options>>>>,
    /// The names that are being looked up, outermost first.
    names: RefCell<Vec<Str>>,
    explainer: RefCell<Option<Explainer>>,
    mode: Cell<Mode>,
    /// Locations that are searched before those of version 3.
    overriding: RefCell<Rc<[Str]>>,
    /// The number of contexts that have been given to functions.
    contexts: Cell<usize>,
    /// The results of functions, by context and key.
    values: RefCell<HashMap<(usize, Str), Value>>,
    /// The results of functions for whole hashes, by context.
    hashes: RefCell<HashMap<usize, Arc<Hash>>>,
    /// Contexts whose foreign keys have been reported.
    told: RefCell<HashSet<usize>>,
}

/// The mode of lookups, including those that they start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Whether only the global layer is searched.
    pub global_only: bool,
    /// Whether one of the `hiera…` functions made the call.
    pub hiera_call: bool,
}

/// The arguments of a lookup.
#[derive(Clone, Debug, Default)]
pub struct Query<'a> {
    /// The keys: the first one that is found applies.
    pub names: &'a [Str],
    /// The type that the value must have.
    pub value_type: Option<&'a Type>,
    /// The merge behavior: the name of a strategy or a hash of its options.
    pub merge: Option<&'a Value>,
    /// Values that take precedence over data.
    pub overrides: Option<&'a Hash>,
    /// Values for keys that data doesn't have.
    pub defaults: Option<&'a Hash>,
}

impl Hiera {
    /// Looks up keys. `None` if none of them is found anywhere.
    ///
    /// # Errors
    /// If data, its configuration or the value is invalid.
    pub fn lookup<O: LookupHost + ?Sized>(
        &self,
        outside: &mut O,
        query: &Query<'_>,
    ) -> Result<Option<Value>, Fault<O::Error>> {
        let empty = Hash::default();
        let (overrides, defaults) = (query.overrides.unwrap_or(&empty), query.defaults.unwrap_or(&empty));
        let mut invocation = Invocation::new(self, outside, overrides, defaults);
        invocation.lookup_first(query.names, query.value_type, query.merge)
    }

    /// Looks up a parameter of a class: `class::parameter` (G12). `None` if data doesn't have it.
    ///
    /// # Errors
    /// If data or its configuration is invalid.
    pub fn class_parameter<O: LookupHost + ?Sized>(
        &self,
        outside: &mut O,
        key: &str,
    ) -> Result<Option<Value>, Fault<O::Error>> {
        let empty = Hash::default();
        Invocation::new(self, outside, &empty, &empty).search(key, None)
    }

    /// Whether the environment has a version 5 configuration.
    ///
    /// # Errors
    /// If its configuration can't be used.
    pub fn has_environment_data<O: LookupHost + ?Sized>(
        &self,
        outside: &mut O,
    ) -> Result<bool, Fault<O::Error>> {
        let empty = Hash::default();
        let mut invocation = Invocation::new(self, outside, &empty, &empty);
        Ok(invocation.provider(&Layer::Environment)?.is_some_and(|it| it.config.version >= 5))
    }

    /// Runs lookups in another mode; lookups in progress keep theirs.
    pub fn in_mode<T>(&self, mode: Mode, body: impl FnOnce() -> T) -> T {
        let before = self.mode.get();
        self.mode.set(Mode {
            global_only: before.global_only || mode.global_only,
            hiera_call: before.hiera_call || mode.hiera_call,
        });
        let result = body();
        self.mode.set(before);
        result
    }

    /// Runs lookups in which these locations are searched before those that version 3 configures.
    pub fn overriding<T>(&self, locations: &[Str], body: impl FnOnce() -> T) -> T {
        if locations.is_empty() {
            return body();
        }
        let before = self.overriding.replace(locations.into());
        let result = body();
        self.overriding.replace(before);
        result
    }

    /// Starts to record the steps of lookups.
    pub fn explain(&self, selection: Selection) {
        *self.explainer.borrow_mut() = Some(Explainer::new(selection));
    }

    /// Adds a remark to the current step.
    pub fn remark(&self, text: impl FnOnce() -> String) {
        if let Some(explainer) = &mut *self.explainer.borrow_mut() {
            explainer.current(|it| it.texts.push(text()));
        }
    }

    /// Redacts the values of the search that has just ended.
    pub(crate) fn hide_last(&self) {
        if let Some(explainer) = &mut *self.explainer.borrow_mut() {
            explainer.hide_last();
        }
    }

    /// Whether the steps are being recorded.
    pub fn is_explaining(&self) -> bool {
        self.explainer.borrow().is_some()
    }

    /// Stops recording. Returns the steps if they were recorded.
    pub fn explained(&self) -> Option<Step> {
        self.explainer.take().map(Explainer::finish)
    }

    /// Decrypts and interpolates a value. `path` and `key` are its origin, for messages.
    ///
    /// # Errors
    /// If it can't be decrypted, or an expression in it can't be resolved.
    pub fn decrypt<O: LookupHost + ?Sized>(
        &self,
        outside: &mut O,
        path: &str,
        key: &str,
        options: &Hash,
        value: &Value,
    ) -> Result<Value, Fault<O::Error>> {
        let empty = Hash::default();
        Invocation::new(self, outside, &empty, &empty).decrypted(options, path, key, value)
    }

    /// Interpolates a value in the same way as data.
    ///
    /// # Errors
    /// If an expression in it can't be resolved.
    pub fn interpolate<O: LookupHost + ?Sized>(
        &self,
        outside: &mut O,
        value: &Value,
    ) -> Result<Value, Fault<O::Error>> {
        let empty = Hash::default();
        Invocation::new(self, outside, &empty, &empty).interpolate(value, true)
    }
}

impl std::fmt::Debug for Hiera {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Hiera").field("names", &self.names).finish_non_exhaustive()
    }
}

/// Checks that a value has the requested type.
///
/// # Errors
/// If it has another type; `subject` is its name in the message.
pub fn assert_type(
    dialect: &Dialect,
    subject: &str,
    expected: Option<&Type>,
    value: &Value,
) -> Result<(), LookupError> {
    let Some(expected) = expected else { return Ok(()) };
    assert_instance_of(dialect, subject, expected, value)
        .map_err(|wrong| LookupError::other(wrong.to_string()))
}

/// The error for keys that aren't found.
pub fn not_found(names: &[Str]) -> LookupError {
    LookupError::new(match names {
        [name] => format!("Function lookup() did not find a value for the name '{name}'"),
        names => {
            let names: Vec<_> = names.iter().map(|it| format!("'{it}'")).collect();
            let names = names.join(", ");
            format!("Function lookup() did not find a value for any of the names [{names}]")
        }
    })
}

//! Puppet's Ruby API: values, scopes, templates, the APIs in which functions are written, types.
//!
//! The host renders a template by [`Vm::render`], and loads functions by [`Vm::load`]; the declarations of loaded files
//! are in [`State`].

pub(crate) mod convert;
pub mod function;
pub(crate) mod identity;
pub(crate) mod legacy;
pub(crate) mod opaque;
pub(crate) mod resource;
pub(crate) mod runtime;
pub(crate) mod scope;
mod symbol_default;

pub(crate) mod template;
pub(crate) mod version;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use marotte_text::Str;

use crate::Value;

pub use function::FunctionDefinition;
pub use legacy::LegacyDefinition;

/// The part of a [`World`](crate::World) that belongs to Puppet: loaded functions and imported values.
#[derive(Debug, Default)]
pub struct State {
    /// Functions of the 4.x API by name.
    pub(crate) functions: RefCell<HashMap<Str, Rc<FunctionDefinition>>>,
    /// Functions of the 3.x API by name.
    pub(crate) legacy: RefCell<HashMap<Str, Rc<LegacyDefinition>>>,
    /// The cached results of Hiera data functions for files.
    pub(crate) file_data: RefCell<HashMap<Str, Value>>,
    /// The correspondence between objects and Puppet values.
    pub(crate) identities: identity::Identities,
}

impl State {
    /// A function of the 4.x API that a file has declared.
    pub fn function(&self, name: &str) -> Option<Rc<FunctionDefinition>> {
        self.functions.borrow().get(name).cloned()
    }

    /// A function of the 3.x API that a file has declared.
    pub fn legacy_function(&self, name: &str) -> Option<Rc<LegacyDefinition>> {
        self.legacy.borrow().get(name).cloned()
    }
}

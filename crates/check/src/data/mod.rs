//! Data files and their configurations: the context of their rules, and the relations between data and programs.

pub(crate) mod class_key;
pub(crate) mod comments;
mod context;
pub(crate) mod encrypted;
pub(crate) mod found;
pub mod interface;
pub(crate) mod merged;
pub(crate) mod near;
pub(crate) mod options;
pub(crate) mod passed_on;
pub mod reads;
mod secret_values;
pub(crate) mod values;

pub use comments::yaml_comments;
pub(crate) use context::{DataContext, DataFile, Entry, strings};
pub(crate) use secret_values::names_sensitive;
pub use secret_values::{is_secret_key, secret_places};

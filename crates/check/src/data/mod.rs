//! Files of data and their configurations: what a rule sees of them, and what they and programs say of each other.

pub(crate) mod class_key;
pub(crate) mod comments;
mod context;
pub(crate) mod encrypted;
pub(crate) mod found;
pub mod interface;
pub(crate) mod options;
pub mod reads;
mod secret_values;
pub(crate) mod values;

pub(crate) use context::{DataContext, DataFile, strings};
pub use secret_values::secret_places;

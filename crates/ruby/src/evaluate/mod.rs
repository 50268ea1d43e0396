//! Partial evaluation of expressions, as far as it is simple: literals, constants and local variables that hold them,
//! and loops over them.

mod doc;
mod scope;
mod value;

pub(crate) use doc::scrub;
pub(crate) use scope::{Scope, Visit};
pub(crate) use value::Value;

//! From trees to bodies: what inference and the interpreter read.
//!
//! A [`Body`] holds the expressions of one definition in an arena, without ranges, so that it is equal to itself after lines
//! have moved; a [`SourceMap`] beside it knows where each expression stands. Variables that functions, lambdas and templates
//! set are resolved to slots.

pub mod body;
mod lower;
mod queries;
mod source_map;

pub use body::{Body, ExprId};
pub use lower::{Definition, DefinitionKind, Lowered, lower};
pub use queries::lowered;
pub use source_map::{Place, SourceMap};

//! The lowering of syntax trees to bodies: the input of inference and of the interpreter.
//!
//! A [`Body`] holds the expressions of one definition in an arena, without ranges, so that it stays equal when lines move; a
//! separate [`SourceMap`] has the place of each expression. Variables that functions, lambdas and templates set are resolved to
//! slots.

mod altered;
pub mod body;
mod item;
mod lower;
mod names;
mod pattern;
mod privacy;
mod queries;
mod signature;
mod source_map;
mod titles;

pub use altered::{AlteredTypes, altered};
pub use body::{Body, ExprId};
pub use item::{Item, ItemKind, ItemPlaces, places};
pub use lower::{Definition, DefinitionKind, Lowered, lower};
pub use marotte_db::mode_in;
pub use names::{
    Name, NameKind, Resolved, definition, definition_files, is_program, main_definitions, module_definitions,
    names_a_file, resolve,
};
pub use pattern::pattern_name;
pub use privacy::Privacy;
pub use queries::{altered_types, is_readable, items, lowered, open_reads, parse, titles};
pub use signature::{Signature, SignatureParameter};
pub use source_map::{Place, SourceMap};
pub use titles::Titles;

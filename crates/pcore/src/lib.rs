//! Pcore: Puppet's values and its type system, as a library.
//!
//! Pure: no parsing of source, no files, no salsa. A type is built from its name and evaluated arguments; layers above
//! parse type expressions.

pub mod binary;
pub mod budget;
pub mod create;
pub mod dialect;
pub mod effort;
pub mod extent;
pub mod format;
pub mod graph;
pub mod infer;
pub mod iterate;
pub mod mismatch;
pub mod new;
pub mod ops;
pub mod print;
pub mod regexp;
pub mod relation;
pub mod scan;
pub mod semver;
pub mod time;
pub mod types;
pub mod uri;
pub mod value;
pub mod yaml;

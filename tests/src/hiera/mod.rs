//! Lookups and their results: the chapters of `tests/hiera`.

mod chapter;
mod run;

pub use chapter::{Question, Section, sections};
pub use run::{explanation, result};

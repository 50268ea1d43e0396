//! Chapters of catalogs: control repositories with one node, and what compiling them gives.

mod agree;
mod chapter;
mod run;

pub use agree::disagreeing;
pub use chapter::{Scenario, scenarios};
pub use run::compile;

//! Programs and their results: the chapters of `tests/evaluation`.

mod chapter;
mod run;

pub use chapter::{Chapter, Program};
pub use run::{EvaluationContext, Runner};

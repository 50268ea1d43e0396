//! Rows about values and types: `Integer[1] ∪ Float → Numeric`.

mod evaluate;
mod mismatch;
mod operators;
pub mod pool;
mod rows;

pub use evaluate::{Evaluator, Failure, Session};
pub use rows::{Page, Row};

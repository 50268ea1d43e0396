//! Tests of comparisons and of partial reports.

mod compare;
mod partial;

//! What is wrong with a tree of code, on every branch and for every node, without running it.
//!
//! [`check_file`] is the query for the findings of one file: what is wrong with its text, where it stands, and what its
//! items mean. `rules` has one file for each rule; a rule looks at one item through its `Context`, which knows what
//! names mean (`names`) and which types expressions have (`infer`).
//!
//! What cannot be known is unknown, and nothing is said about it.

mod asked;
pub mod asks;
mod bolt;
mod branch_names;
pub mod change;
mod classes;
mod conditions;
mod consequences;
mod context;
pub mod data;
mod data_file;
mod declarable;
mod exported;
mod fact_paths;
mod file;
pub mod interface;
mod lookups;
mod parameters;
mod relations;
mod relationships;
mod rules;
mod secrets;
pub mod semantics;
mod shared_reads;
mod style;
mod suppressions;
mod tested;
mod usage;
mod uses;

pub use data::secret_places;
pub use file::{check_file, check_style, findings};

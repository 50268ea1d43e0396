//! What is wrong with a tree of code, on every branch and for every node, without running it.
//!
//! [`check_file`] is the query for the findings of one file: what is wrong with its text, where it stands, and what its
//! items mean. `rules` has one file for each rule; a rule looks at one item through its `Context`, which knows what
//! names mean (`names`) and which types expressions have (`infer`).
//!
//! What cannot be known is unknown, and nothing is said about it.

mod asked;
mod bolt;
mod branch_names;
mod classes;
mod conditions;
mod context;
mod custom_facts;
mod data;
mod db;
mod declarable;
mod declarations;
mod declared;
mod disjoint;
mod exported;
mod fact_paths;
mod file;
mod flow;
mod functions;
mod globals;
mod infer;
mod known_values;
mod lazy_type;
mod literal;
mod lookups;
mod manifests;
mod metadata;
mod module_files;
mod names;
mod parameters;
mod relationships;
mod resource_types;
mod ruby;
mod rules;
mod secrets;
mod shared_reads;
mod signatures;
mod sorts;
mod types;
mod usage;
mod uses;

pub use db::Db;
pub use file::check_file;
pub use infer::measure::{ProgramTypes, program_types, typed_expressions};
pub use ruby::{
    RubyFile, RubyKind, declared_resource_type, may_be_extended, ruby_definition, ruby_functions,
};
pub use rules::location;

//! Static checks: finds errors in a code base, on every branch and for every node, without running it.
//!
//! [`check_file`] is the query for the findings of one file: errors in its text, in its location, and in the meaning of its
//! items. `rules` has one file for each rule; a rule examines one item through its `Context`, which resolves names (`resolve`)
//! and has the types of expressions (`infer`).
//!
//! Values and names that cannot be determined are unknown, and nothing is reported about them.

mod analysis;
mod at;
mod conditions;
mod consequences;
mod context;
pub mod data;
mod data_file;
mod file;
mod findings;
mod hints;
pub mod incremental;
mod lookups;
mod ruby_code;
mod rules;
mod secrets;
pub mod semantics;
mod style;
mod suppressions;
mod template_facts;
mod tree;
pub mod unresolved;

pub use analysis::templates::erb::template_code;
pub use data::{is_secret_key, secret_places, yaml_comments};
pub use file::{check_file, check_style, findings, prepare};
pub use ruby_code::{check_ruby, shadowed_facts};
pub use rules::{Needs, needs};
pub use tree::{
    Reason, Unjudged, check_environment_conf, check_metadata, check_puppetfile, check_task, check_tree,
    check_yaml_plan, files_with_findings, is_task_metadata, is_yaml_plan, looks_at_trees, unjudged,
};

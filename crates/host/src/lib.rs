//! The interpreter's environment, implemented on top of a code tree: modules, facts, settings, files, clock and commands.
//!
//! [`DatabaseHost`] answers the interpreter's requests, each through a query, so that [`evaluate`], the query for the catalog of a
//! node, depends on exactly what was requested. [`EvaluationContext`] is the environment of a single program. [`Findings`] turns
//! errors and logs, which have no line numbers, into diagnostics with the texts that they point into.

pub mod answers;
mod clock;
mod contents;
mod context;
mod data;
mod database_host;
mod db;
mod definition;
pub mod facts;
mod files;
mod findings;
mod glob;
mod inputs;
pub mod layout;
mod loading;
mod lookup;
mod native;
mod node;
mod permissions;
mod pool;
mod program;
mod query;
pub mod reads;
mod rendering;
mod replica;
mod ruby;
mod run_type;
mod settings;
mod sources;
mod store;
#[cfg(test)]
mod tests;
mod unread;

pub use answers::Answers;
pub use clock::Clock;
pub use contents::contents;
pub use context::{CodeTree, EvaluationContext};
pub use data::unread_data;
pub use database_host::DatabaseHost;
pub use db::ProjectDatabase;
pub use facts::{Facts, FactsError};
pub use findings::{Findings, ShownPlace};
pub use inputs::{Node, Policy, Run};
pub use lookup::{LookupOptions, RenderAs, run_lookup};
pub use marotte_hiera::exact::{Exact, Same};
pub use node::{Classification, NodeInput};
pub use permissions::{Permission, PermissionError, Permissions};
pub use pool::{Pool, WorkerLimits};
pub use program::{Source, read_erb, read_program};
pub use query::{Evaluation, Logs, edition, evaluate, evaluate_once, explain_once};
pub use rendering::{rendered, rendered_gaps};
pub use sources::ProjectSources;
pub use store::Store;

//! What evaluation asks of the outside, answered over a project: its modules, facts, settings, files, clock and commands.
//!
//! [`Surroundings`] answers the interpreter's requests; [`Findings`] turns errors and logs, which say no lines, into
//! diagnostics and the texts that they point into.

mod clock;
mod data;
mod definition;
pub mod facts;
mod findings;
mod lookup;
mod modules;
mod native;
mod node;
mod permissions;
mod program;
mod rendering;
mod settings;
mod surroundings;
#[cfg(test)]
mod tests;

pub use clock::Clock;
pub use facts::{Facts, FactsError};
pub use findings::{Findings, ShownPlace};
pub use lookup::{LookupOptions, RenderAs, run_lookup};
pub use node::{Classification, NodeInput};
pub use permissions::{Permission, PermissionError, Permissions};
pub use program::{Source, read_program};
pub use rendering::rendered;
pub use surroundings::{CodeTree, Surroundings};

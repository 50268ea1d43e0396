//! An interpreter for the part of Ruby in which Puppet modules write templates and functions.
//!
//! It is sandboxed, deterministic and bounded: all external input comes through the [`Host`] trait, nothing is read
//! from the disk, no process is started, and steps, memory and depth have budgets. A method, constant or argument form
//! that the interpreter does not implement ends the evaluation with [`Stop::Unsupported`]; it never guesses.
//!
//! - [`program`]: from source text to a [`Program`](program::Program), the resolved tree that is evaluated;
//! - [`value`]: Ruby's values, which have identity and can be changed in place;
//! - [`vm`]: evaluation, and the operations that built-in methods share (conversions, comparison, calls, errors);
//! - [`builtins`]: the classes of Ruby's core and standard library, one file for each class;
//! - [`puppet`]: Puppet's own API for functions and templates;
//! - [`template_names`]: the names in a template that are not defined;
//! - [`survey`]: the constructs of a file that are not implemented;
//! - [`host`]: the interface to the Puppet evaluator.

pub mod builtins;
pub mod host;
pub mod native;
pub mod program;
pub mod puppet;
pub mod stop;
pub mod survey;
pub mod symbol;
pub mod template_names;
pub mod testing;
pub mod value;
pub mod vm;

pub use host::{Host, HostError};
pub use stop::{Stop, Unsupported};
pub use symbol::Symbol;
pub use value::Value;
pub use vm::{Vm, World};

//! Evaluation.

mod arguments;
mod assign;
mod block;
mod call;
mod class;
mod compare;
mod constant;
mod control;
mod convert;
mod define;
mod defined;
mod error;
mod eval;
mod frame;
mod hashing;
mod invoke;
mod known;
mod pattern;
mod recursion;
mod rescue;
mod run;
mod slice;
#[cfg(test)]
mod tests;
mod unknown;
mod variable;
mod world;

pub(crate) use block::Override;
pub(crate) use call::CallerKind;
pub use compare::{compare_numbers, to_big};
pub(crate) use constant::is_certainly_missing;
pub use convert::float_to_big;
pub use error::{ErrorClass, Exception};
pub(crate) use frame::Activation;
pub use frame::{Context, Lexical};
pub(crate) use known::{is_known_class, is_known_method, is_method_of_any, is_of_puppet, known_methods};
pub(crate) use world::Entry;
pub use world::World;

use std::rc::Rc;

use crate::program::tree::Line;
use crate::{Host, Value};

/// The evaluation of Ruby code for one request of the host. State that outlives the request, such as classes and loaded
/// files, is in its [`World`].
pub struct Vm<'h> {
    /// Classes, loaded files, budgets.
    pub world: Rc<World>,
    /// The Puppet evaluator.
    pub host: &'h mut dyn Host,
    /// The active methods and blocks, innermost last.
    pub(crate) stack: Vec<Activation>,
    /// The current line of the innermost one.
    pub(crate) line: Line,
    /// The exceptions being handled, innermost last: `$!`.
    pub(crate) handled: Vec<Value>,
    /// The calling scope and the top scope, once they have been used: each is one object.
    pub(crate) scopes: [Option<Value>; 2],
}

impl<'h> Vm<'h> {
    /// A new evaluation.
    pub fn new(world: Rc<World>, host: &'h mut dyn Host) -> Vm<'h> {
        Vm {
            world,
            host,
            stack: Vec::new(),
            line: Line::default(),
            handled: Vec::new(),
            scopes: [None, None],
        }
    }
}

//! Evaluation.

mod class;
mod compare;
mod convert;
mod error;
mod recursion;
mod world;

pub use compare::{compare_numbers, to_big};
pub use convert::float_to_big;
pub use error::{ErrorClass, Exception};
pub use world::World;

use std::rc::Rc;

use crate::Host;

/// The evaluation of Ruby code for one request of the host. What outlives the request, classes and loaded files, is in its
/// [`World`].
pub struct Vm<'h> {
    /// Classes, loaded files, budgets.
    pub world: Rc<World>,
    /// The Puppet evaluator.
    pub host: &'h mut dyn Host,
}

/// The surroundings in which a block or method was written: variables, `self`, modules for constants, the frame that
/// `return` and `break` leave.
#[derive(Debug)]
pub struct Context {}

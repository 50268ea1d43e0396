//! Which types expressions have.
//!
//! One walk over a body, in the order of evaluation. A variable is known by the type of what it was given on all ways to
//! where it is read; conditions narrow it. What cannot be known is unknown: no type at all, rather than `Any`.
//!
//! **Sound where it speaks**: the value of an expression, whenever it is evaluated, is an instance of its type.

mod access;
mod bounds;
mod builtin;
mod call;
mod condition;
mod constant;
mod expr;
mod known;
mod measure;
mod narrow;
mod operator;
mod queries;
mod result;
mod scope;
mod truth;
mod typed_item;
mod walk;

pub use access::{element, is_fact, misspelled_part};
pub use builtin::block_parameters;
pub use constant::{constant, values};
pub use known::Known;
pub use measure::{ProgramTypes, program_types, typed_expressions};
pub use queries::{infer, outline_of, outlines};
pub use result::{Inference, Outline};
pub use truth::truth;
pub use typed_item::TypedItem;
pub use walk::effort_for;

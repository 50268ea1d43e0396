//! Type inference for expressions.
//!
//! One walk over a body, in the order of evaluation. The type of a variable is the union of what was assigned to it on all
//! paths to the place where it is read; conditions narrow it. What cannot be known is unknown: no type at all, rather than
//! `Any`.
//!
//! **Sound**: if an expression has a type, then its value is an instance of that type whenever it is evaluated.

mod access;
mod bounds;
mod builder;
mod builtin;
mod call;
mod condition;
mod constant;
mod dependencies;
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

pub use access::{element, is_fact, misspelled_part};
pub use builder::effort_for;
pub use builtin::lambda_arguments;
pub use constant::{constant, values};
pub use dependencies::reads;
pub use known::Known;
pub use measure::{ProgramTypes, program_types, typed_expressions};
pub use queries::{infer, outline};
pub use result::{Inference, Outline};
pub use truth::truth;
pub use typed_item::TypedItem;

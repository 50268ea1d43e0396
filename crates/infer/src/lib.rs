//! Type inference: the values that expressions evaluate to, as far as code alone determines them.
//!
//! [`inference`] walks a body and infers a type for each expression. [`declared`] has the types that definitions declare,
//! [`signatures`] those of functions that aren't written in Puppet, and [`disjoint`] decides when values of one type can never
//! be of another. [`flow`], [`branches`], [`literal`] and [`declarations`] analyze one body, without types.

mod aliases;
pub mod branches;
pub mod declarations;
pub mod declared;
pub mod disjoint;
pub mod flow;
pub mod inference;
pub mod known_values;
pub mod literal;
mod rings;
pub mod signatures;
pub mod sorts;

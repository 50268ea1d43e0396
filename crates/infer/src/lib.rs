//! What expressions evaluate to, as far as code alone shows it.
//!
//! [`inference`] walks a body and gives each expression a type. [`declared`] has the types that definitions declare, [`signatures`] those of functions
//! that are not written in Puppet, and [`disjoint`] says when values of one type can never be of another. [`flow`], [`branches`], [`literal`] and
//! [`declarations`] read one body, without types.

mod aliases;
pub mod branches;
pub mod declarations;
pub mod declared;
pub mod disjoint;
pub mod flow;
pub mod inference;
pub mod known_values;
pub mod literal;
pub mod signatures;
pub mod sorts;

//! What Ruby files of modules and of Puppet itself declare, read without running them.
//!
//! Modules add resource types, functions and facts in Ruby. Nothing here runs Ruby: the text is parsed, and what it
//! declares in one of the usual ways is read off the tree. What is too clever to read is *unknown*: never an error, and
//! never a guess. Every answer says whether it is complete.
//!
//! - [`resource_type`]: resource types (`lib/puppet/type`);
//! - [`function`]: functions (`lib/puppet/functions`) and those of the 3.x API (`lib/puppet/parser/functions`);
//! - [`fact`]: custom facts (`lib/facter`);
//! - [`core`]: what Puppet 8.11 and Facter bring themselves, recorded from them.

pub mod core;
mod evaluate;
pub mod fact;
pub mod function;
pub mod resource_type;
mod syntax;
pub mod template;

pub use syntax::{LENGTH_LIMIT, is_sound};

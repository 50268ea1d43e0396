//! The declarations in Ruby files of modules and of Puppet itself, read without running them.
//!
//! Modules add resource types, functions and facts in Ruby. Nothing here runs Ruby: the text is parsed, and
//! declarations in one of the usual forms are read from the tree. Anything too dynamic to read is *unknown*: never an
//! error, and never a guess. Every result includes whether it is complete.
//!
//! - [`resource_type`]: resource types (`lib/puppet/type`);
//! - [`function`]: functions (`lib/puppet/functions`) and those of the 3.x API (`lib/puppet/parser/functions`);
//! - [`fact`]: custom facts (`lib/facter`);
//! - [`erb`], [`template`] and [`template_facts`]: the tags of ERB templates, and the variables, functions and facts that they read;
//! - [`puppetfile`]: the statements of a `Puppetfile`;
//! - [`rakefile`]: the settings of puppet-lint in a `Rakefile`;
//! - [`core`]: the declarations that Puppet 8.11 and Facter provide themselves, recorded from them.

pub mod core;
pub mod erb;
mod evaluate;
pub mod fact;
pub mod function;
pub mod puppetfile;
pub mod rakefile;
pub mod resource_type;
mod syntax;
pub mod template;
pub mod template_facts;

pub use syntax::{LENGTH_LIMIT, is_sound};

/// Finds the names in Ruby code that stand alone and are not local variables, in order: calls without a receiver, arguments and
/// parentheses. `None` if the code may have errors, or constructs so rare that it is not obvious what its names mean.
pub fn lone_names(text: &str) -> Option<Vec<&str>> {
    syntax::lone_names(text)
}

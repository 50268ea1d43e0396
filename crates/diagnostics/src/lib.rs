//! Diagnostics: findings as data, the registry of rules, and the output formats.
//!
//! A [`Diagnostic`] is plain data with byte ranges. [`syntax`] creates those of the parser's errors; later stages create their
//! own. [`suppress`], [`Settings`] and [`baseline`] remove those that the user doesn't want to see, and [`output`] writes the
//! rest in the requested format, with texts and lines from [`Sources`].

pub mod baseline;
mod diagnostic;
pub mod headline;
pub mod issues;
pub mod output;
mod paths;
pub mod printable;
pub mod puppet_lint;
pub mod render;
mod rule_set;
pub mod rules;
mod settings;
mod sources;
pub mod suppress;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod upgrade;

pub use diagnostic::{Diagnostic, Edit, FileId, Fix, Level, Related};
pub use paths::Paths;
pub use rule_set::RuleSet;
pub use rules::{Group, Rule};
pub use settings::{Choice, NamedSet, SETS, Settings, SettingsError, named_set};
pub use sources::Sources;

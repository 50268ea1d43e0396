//! Diagnostics: what is reported, under which rule, and how it is shown.
//!
//! A [`Diagnostic`] is plain data with byte ranges. [`syntax`] makes one of everything that the parser can report; later
//! stages make their own. [`suppress`], [`Settings`] and [`baseline`] take away what the user does not want to see, and [`output`]
//! writes the rest in the format that was asked for, looking texts and lines up in [`Sources`].

pub mod baseline;
mod diagnostic;
pub mod headline;
pub mod issues;
pub mod output;
mod paths;
pub mod printable;
pub mod puppet_lint;
pub mod render;
pub mod rules;
mod settings;
mod sources;
pub mod suppress;
pub mod syntax;
#[cfg(test)]
mod testing;

pub use diagnostic::{Diagnostic, Edit, FileId, Fix, Level, Related};
pub use paths::Paths;
pub use settings::{Choice, GROUPS, Settings, SettingsError};
pub use sources::Sources;

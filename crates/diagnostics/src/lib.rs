//! Diagnostics: what is reported, under which rule, and how it is shown.

mod diagnostic;
pub mod rules;

pub use diagnostic::{Diagnostic, Edit, FileId, Fix, Level, Related};

//! What code says about one subject, across expressions, items and files. Rules ask for it; nothing here reports findings.

pub(crate) mod names;
pub(crate) mod resources;
pub(crate) mod templates;
pub(crate) mod titles;
pub(crate) mod variables;

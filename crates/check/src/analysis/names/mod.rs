//! The names that code uses: of classes, definitions, facts and modules.

pub(crate) mod classes;
pub(crate) mod fact_paths;
pub(crate) mod foreign_names;
pub(crate) mod mentions;
pub(crate) mod uses;

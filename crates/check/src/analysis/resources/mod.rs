//! The resources that code declares, their parameters, and how they are related.

pub(crate) mod asserted_titles;
pub(crate) mod declarable;
pub(crate) mod exported;
pub(crate) mod fragments;
pub(crate) mod parameters;
pub(crate) mod relations;
pub(crate) mod relationships;
pub(crate) mod search_paths;

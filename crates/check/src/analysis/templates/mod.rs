//! The templates in ERB that code renders, and their Ruby code.

pub(crate) mod erb;
pub(crate) mod rendered;

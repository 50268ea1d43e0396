//! Backends that do more than read a document (E19, G14).

pub(crate) mod eyaml;

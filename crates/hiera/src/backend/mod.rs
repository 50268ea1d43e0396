//! Back ends that take more than reading a document (E19, G14).

pub(crate) mod eyaml;

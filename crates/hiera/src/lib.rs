//! Data that Puppet reads: documents of YAML and JSON, as values with the places where they stand.

pub mod data;

//! Queries to PuppetDB, and its answers as data. This crate is the only one that opens network connections, and it sends nothing
//! except queries.
//!
//! A [`Client`] queries one server, with a time limit for each query. An answer is either complete or an [`Error`]: truncated or
//! oversized answers, invalid JSON, and numbers of rows that differ from PuppetDB's count are errors.

mod address;
mod answer;
mod catalogs;
mod client;
mod error;
mod exported;
mod facts;
mod names;
mod packed;
mod tls;

pub use address::{Address, AddressError};
pub use catalogs::Comparable;
pub use client::{Client, Pem, Settings};
pub use error::{Error, Problem, SettingsError};
pub use exported::ExportedResource;
pub use facts::{Factset, NodeFacts};
pub use names::ACTIVE_NODES;

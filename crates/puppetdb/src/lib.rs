//! Queries to PuppetDB, and its answers as data. Only this crate connects to anything, and it sends nothing but queries.
//!
//! A [`Client`] asks one server, with a time limit for each query. An answer is either whole or an [`Error`]: what is
//! truncated, too large, no JSON, or another number of rows than PuppetDB counts is never returned.

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

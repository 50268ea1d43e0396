//! Hiera 5: data for programs, found by keys in layers and hierarchies (group G of the capabilities).
//!
//! [`data`] reads documents; [`config`] says what `hiera.yaml` may say; a [`Hiera`] looks keys up, reads data from a
//! [`DataSource`], and asks an [`Outside`] for all that takes evaluation; [`explain`] says what it did.

mod backend;
pub mod config;
pub mod data;
mod error;
pub mod exact;
pub mod explain;
mod expression;
mod hierarchy;
mod interpolate;
mod key;
mod lookup;
pub mod merge;
mod outside;

pub use backend::eyaml::is_encrypted;
pub use error::{ConfigPart, ErrorKind, Fault, LookupError};
pub use expression::{Asks, Expression, METHODS, Method, expressions, unclosed};
pub use key::{KeySyntaxError, LookupKey, Segment, may_have};
pub use lookup::{Hiera, Mode, Query, assert_type, not_found};
pub use outside::{
    DataProvider, DataSource, DocumentFault, Format, FunctionAnswer, FunctionCall, Layer, LayerConfig,
    Outside, ReadError, Section, Variable,
};

/// The part of a document that is asked for where one key is: the entries whose keys have the same class before the last
/// `::`, or none. Whoever remembers what was read remembers by it, so that other entries of a file do not matter.
pub fn section_prefix(key: &str) -> &str {
    key.rsplit_once("::").map_or("", |(prefix, _)| prefix)
}

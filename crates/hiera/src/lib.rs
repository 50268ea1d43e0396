//! Hiera 5: data for programs, found by keys in layers and hierarchies (group G of the capabilities).
//!
//! [`data`] reads documents; [`config`] validates `hiera.yaml`; a [`Hiera`] looks up keys, reads data from a
//! [`DataSource`], and calls an [`LookupHost`] for everything that needs evaluation; [`explain`] records its steps.

mod backend;
pub mod config;
pub mod data;
mod error;
pub mod exact;
pub mod explain;
mod expression;
mod hierarchy;
mod host;
mod interpolate;
mod key;
mod lookup;
pub mod merge;

pub use backend::eyaml::{decrypt, has_secret_block, is_encrypted};
pub use error::{ConfigPart, ErrorKind, Fault, LookupError};
pub use expression::{Expression, ExpressionKind, METHODS, Method, expressions, unclosed};
pub use host::{
    DataProvider, DataSource, DocumentFault, Format, FunctionAnswer, FunctionCall, Layer, LayerConfig,
    LookupHost, Presence, ReadError, Section, Variable,
};
pub use key::{KeySyntaxError, LookupKey, Segment, may_have};
pub use lookup::{Hiera, Mode, Query, assert_type, not_found};

/// Returns the section of a document that is read for a key: the entries whose keys have the same class before the last
/// `::`, or none. Caches are keyed by it, so that changes of other entries of the file don't matter.
pub fn section_prefix(key: &str) -> &str {
    key.rsplit_once("::").map_or("", |(prefix, _)| prefix)
}

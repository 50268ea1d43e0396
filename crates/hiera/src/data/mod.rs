//! Documents of data: YAML and JSON, read as the reference reads them (G6).
//!
//! A [`Document`] is a value, and beside it, in the same shape, the [`Places`] at which its parts stand.

mod error;
mod json;
mod places;
mod scalar;
mod tag;
mod yaml;

pub use error::{DataError, DataErrorKind};
pub use json::parse_json;
pub use places::{Inner, Places};
pub use yaml::{Permitted, parse_yaml};

use marotte_pcore::value::Value;

/// How deeply data may be nested. Layers above walk values by recursion.
pub const DEPTH_LIMIT: usize = 128;

/// What a file of data says, and where.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value. Of an empty document: `undef`.
    pub value: Value,
    /// Where its parts stand.
    pub places: Places,
}

use super::Value;

/// A `Range`. An end that is `nil` is open.
#[derive(Debug)]
pub struct Range {
    /// The first value.
    pub begin: Value,
    /// The last value, or the one after it.
    pub end: Value,
    /// Whether the range ends before `end` (`...`).
    pub exclusive: bool,
}

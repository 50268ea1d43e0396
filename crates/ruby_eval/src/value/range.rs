use super::{Value, free};

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

/// Ranges of ranges are freed without recursion.
impl Drop for Range {
    fn drop(&mut self) {
        if self.begin.is_nested() || self.end.is_nested() {
            let begin = std::mem::replace(&mut self.begin, Value::Nil);
            let end = std::mem::replace(&mut self.end, Value::Nil);
            free((begin, end));
        }
    }
}

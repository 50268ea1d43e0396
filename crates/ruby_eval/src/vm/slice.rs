//! The part of a sequence that a range selects.

use super::Vm;
use crate::Value;
use crate::stop::Result;
use crate::value::Range;

impl Vm<'_> {
    /// The start and the length of the part of a sequence that a range selects; None if it starts outside.
    ///
    /// # Errors
    /// `TypeError` if an end is not an integer.
    pub fn range_bounds(&mut self, range: &Range, length: usize) -> Result<Option<(usize, usize)>> {
        let size = i64::try_from(length).unwrap_or(i64::MAX);
        let begin = match &range.begin {
            Value::Nil => 0,
            begin => self.expect_integer(begin)?,
        };
        let (end, exclusive) = match &range.end {
            Value::Nil => (-1, false),
            end => (self.expect_integer(end)?, range.exclusive),
        };
        let begin = if begin < 0 { begin.saturating_add(size) } else { begin };
        if begin < 0 || begin > size {
            return Ok(None);
        }
        let end = if end < 0 { end.saturating_add(size) } else { end };
        let end = if exclusive { end } else { end.saturating_add(1) }.min(size);
        let count = end.saturating_sub(begin).max(0);
        Ok(Some((usize::try_from(begin).unwrap_or(0), usize::try_from(count).unwrap_or(0))))
    }
}

//! The nesting depth and the size of values and types, which are known without a walk.
//!
//! Every walk over values and types is recursive, even their `Drop`. Their constructors record the extent, so that an
//! evaluator of hostile programs can cheaply reject what is too deep for the stack or too large for the time limit:
//! shared parts count as often as they occur, because a walk visits them as often.

use std::fmt;

/// The maximum nesting depth of values and types. Any operation on them then fits into a stack of 4 MiB, unoptimized.
pub const NESTING_LIMIT: usize = 500;

/// Runs a step of a walk that follows recursive types, which can go deeper than their nesting depth.
pub(crate) fn with_stack<T>(step: impl FnOnce() -> T) -> T {
    /// Enough for the frames between two such steps.
    const LEFT: usize = 1 << 20;
    const MORE: usize = 8 << 20;
    stacker::maybe_grow(LEFT, MORE, step)
}

/// The nesting depth and the size of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    depth: u16,
    has_unknown: bool,
    size: u32,
}

/// The size of a value without its parts, in bytes.
const OWN_SIZE: u32 = 24;

impl Extent {
    /// The extent of something without parts and text.
    pub const LEAF: Extent = Extent { depth: 0, has_unknown: false, size: OWN_SIZE };

    /// The extent of an unknown value.
    pub const UNKNOWN: Extent = Extent { has_unknown: true, ..Extent::LEAF };

    /// The extent of something without parts, but with text or other bytes.
    pub fn of_bytes(count: usize) -> Extent {
        Extent { size: OWN_SIZE.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)), ..Extent::LEAF }
    }

    /// The extent of something with this nesting depth whose parts aren't counted.
    pub fn at_depth(depth: usize) -> Extent {
        Extent { depth: u16::try_from(depth).unwrap_or(u16::MAX), ..Extent::LEAF }
    }

    /// The extent of something that consists of these parts.
    pub fn around(parts: impl IntoIterator<Item = Extent>) -> Extent {
        parts.into_iter().fold(Extent::LEAF, Extent::with)
    }

    /// The extent with one more part.
    #[must_use]
    pub fn with(self, part: Extent) -> Extent {
        Extent {
            depth: self.depth.max(part.depth.saturating_add(1)),
            has_unknown: self.has_unknown || part.has_unknown,
            size: self.size.saturating_add(part.size),
        }
    }

    /// The extent without one of its parts; its depth, and whether it has unknown values, may be overestimated.
    #[must_use]
    pub fn without(self, part: Extent) -> Extent {
        // If the size is saturated, the actual size may be larger.
        let size = if self.size == u32::MAX { u32::MAX } else { self.size.saturating_sub(part.size) };
        Extent { size, ..self }
    }

    /// Returns the nesting depth.
    pub fn depth(self) -> usize {
        usize::from(self.depth)
    }

    /// Whether it may contain an [unknown](crate::value::Unknown) value.
    pub fn has_unknown(self) -> bool {
        self.has_unknown
    }

    /// Returns the number of bytes that it would take if nothing were shared: at least 24 for each value, plus its
    /// texts. Saturates at 4 GiB.
    pub fn size(self) -> usize {
        self.size as usize
    }

    /// Rejects a nesting deeper than [`NESTING_LIMIT`].
    ///
    /// # Errors
    /// If the nesting is deeper.
    pub fn check_nesting(self) -> Result<(), TooDeep> {
        if self.depth() > NESTING_LIMIT { Err(TooDeep) } else { Ok(()) }
    }
}

/// The error for a value or type nested more deeply than [`NESTING_LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the value is nested more than {NESTING_LIMIT} levels deep, which is the limit")
    }
}

impl std::error::Error for TooDeep {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::types::Type;
    use crate::value::{Hash, Value};

    #[test]
    fn shared_parts_count_as_often_as_they_occur() {
        let mut value = Value::from("four");
        assert_eq!((value.extent().depth(), value.extent().size()), (0, 28));
        for depth in 1..=40 {
            value = Value::Array([value.clone(), value].into());
            assert_eq!(value.extent().depth(), depth);
        }
        assert_eq!(value.extent().size(), u32::MAX as usize);
    }

    #[test]
    fn hashes_follow_their_entries() {
        let mut hash = Hash::default();
        hash.insert("key".into(), Value::Array([1.into()].into()));
        let before = Value::Hash(Arc::new(hash.clone())).extent();
        assert_eq!(before.depth(), 2);
        hash.insert("key".into(), 1.into());
        assert_eq!(before.size() - Value::Hash(Arc::new(hash.clone())).extent().size(), 24);
        let deeper = Value::Array([Value::Array([Value::Array([].into())].into())].into());
        hash.update(&"key".into(), |it| *it = deeper);
        assert_eq!(Value::Hash(Arc::new(hash)).extent().depth(), 3);
    }

    #[test]
    fn types_count_with_what_is_in_them() {
        let mut it = Type::any();
        for _ in 0..=NESTING_LIMIT {
            it = Type::array(it, None);
        }
        assert_eq!(Value::Type(it).extent().check_nesting(), Err(TooDeep));
    }
}

//! How deeply values and types are nested, and how large they are: known without a walk.
//!
//! Every walk over values and types is a recursion, down to their `Drop`. What makes them keeps their extent, so that
//! whoever evaluates hostile programs refuses, at no cost, what is too deep for the stack or too large for the time:
//! parts that are shared count as often as they occur, since that is how often a walk comes to them.

use std::fmt;

/// How deeply values and types may be nested. Whatever is done with them then fits into a stack of 4
/// MiB, unoptimized.
pub const NESTING_LIMIT: usize = 500;

/// Runs a step of a walk that follows recursive types, which end later than their nesting says.
pub(crate) fn with_stack<T>(step: impl FnOnce() -> T) -> T {
    /// Enough for what lies between two such steps.
    const LEFT: usize = 1 << 20;
    const MORE: usize = 8 << 20;
    stacker::maybe_grow(LEFT, MORE, step)
}

/// How deeply something is nested, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    depth: u16,
    has_unknown: bool,
    size: u32,
}

/// What a value takes by itself, in bytes.
const OWN_SIZE: u32 = 24;

impl Extent {
    /// Of what has no parts and no text.
    pub const LEAF: Extent = Extent { depth: 0, has_unknown: false, size: OWN_SIZE };

    /// Of a value that is not known.
    pub const UNKNOWN: Extent = Extent { has_unknown: true, ..Extent::LEAF };

    /// Of what has no parts, but text or other bytes.
    pub fn of_bytes(count: usize) -> Extent {
        Extent { size: OWN_SIZE.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)), ..Extent::LEAF }
    }

    /// Of what has parts that are not counted, on so many levels.
    pub fn at_depth(depth: usize) -> Extent {
        Extent { depth: u16::try_from(depth).unwrap_or(u16::MAX), ..Extent::LEAF }
    }

    /// Of what consists of some parts.
    pub fn around(parts: impl IntoIterator<Item = Extent>) -> Extent {
        parts.into_iter().fold(Extent::LEAF, Extent::with)
    }

    /// Of the same with one more part.
    #[must_use]
    pub fn with(self, part: Extent) -> Extent {
        Extent {
            depth: self.depth.max(part.depth.saturating_add(1)),
            has_unknown: self.has_unknown || part.has_unknown,
            size: self.size.saturating_add(part.size),
        }
    }

    /// Of the same without one of its parts; what is left may be nested less deeply than this says, and be known.
    #[must_use]
    pub fn without(self, part: Extent) -> Extent {
        // What is as large as can be said may be larger.
        let size = if self.size == u32::MAX { u32::MAX } else { self.size.saturating_sub(part.size) };
        Extent { size, ..self }
    }

    /// How many levels of parts there are.
    pub fn depth(self) -> usize {
        usize::from(self.depth)
    }

    /// Whether there may be a value in it that is [not known](crate::value::Unknown).
    pub fn has_unknown(self) -> bool {
        self.has_unknown
    }

    /// How many bytes it would take if nothing was shared: at least 24 for each value in it, and its texts. 4 GiB and all
    /// that is larger are the same.
    pub fn size(self) -> usize {
        self.size as usize
    }

    /// Refuses what is nested more deeply than [`NESTING_LIMIT`].
    ///
    /// # Errors
    /// If it is.
    pub fn check_nesting(self) -> Result<(), TooDeep> {
        if self.depth() > NESTING_LIMIT { Err(TooDeep) } else { Ok(()) }
    }
}

/// A value or type is nested more deeply than [`NESTING_LIMIT`].
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

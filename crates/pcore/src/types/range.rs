use std::hash::{Hash, Hasher};

use crate::value::Integer;

/// A range of integers; `None` is open.
///
/// Equality ignores the direction: the numbers are the same.
#[derive(Clone, Debug, Default)]
pub struct IntegerRange {
    /// The minimum. `None` if the range has no lower bound.
    pub from: Option<Integer>,
    /// The maximum. `None` if the range has no upper bound.
    pub to: Option<Integer>,
    /// Whether iteration goes from the maximum to the minimum (X15).
    pub descends: bool,
}

/// A range of floats; infinite bounds are open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatRange {
    /// The minimum, inclusive.
    pub from: f64,
    /// The maximum, inclusive.
    pub to: f64,
}

/// A range for the number of elements or characters; `None` means no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The minimum number.
    pub min: u64,
    /// The maximum number. `None` if it is unlimited.
    pub max: Option<u64>,
}

impl PartialEq for IntegerRange {
    fn eq(&self, other: &IntegerRange) -> bool {
        self.from == other.from && self.to == other.to
    }
}

impl Eq for IntegerRange {}

impl Hash for IntegerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.from.hash(state);
        self.to.hash(state);
    }
}

impl IntegerRange {
    /// Creates a range in ascending order.
    pub fn ascending(from: Option<Integer>, to: Option<Integer>) -> IntegerRange {
        IntegerRange { from, to, descends: false }
    }

    /// Whether it contains a number.
    pub fn contains(&self, value: &Integer) -> bool {
        self.from.as_ref().is_none_or(|from| from <= value) && self.to.as_ref().is_none_or(|to| value <= to)
    }

    /// Whether it contains another range.
    // A separate function, so that comparisons of the kinds of types don't include code for large numbers.
    #[inline(never)]
    pub fn covers(&self, other: &IntegerRange) -> bool {
        let from = self.from.as_ref().is_none_or(|from| other.from.as_ref().is_some_and(|it| from <= it));
        let to = self.to.as_ref().is_none_or(|to| other.to.as_ref().is_some_and(|it| it <= to));
        from && to
    }

    /// Returns the range with the minimum and maximum of 64 bits in place of open bounds.
    pub fn with_ends(&self) -> IntegerRange {
        IntegerRange {
            from: Some(self.from.clone().unwrap_or_else(|| i64::MIN.into())),
            to: Some(self.to.clone().unwrap_or_else(|| i64::MAX.into())),
            descends: self.descends,
        }
    }

    /// Whether both bounds are known.
    pub fn is_finite(&self) -> bool {
        self.from.is_some() && self.to.is_some()
    }
}

impl FloatRange {
    /// The range of all floats.
    pub const ALL: FloatRange = FloatRange { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Whether it contains a number; false for NaN.
    pub fn contains(self, value: f64) -> bool {
        self.from <= value && value <= self.to
    }

    /// Whether it contains another range.
    pub fn covers(self, other: FloatRange) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

// Bounds come from literals and conversions, which never result in NaN.
impl Eq for FloatRange {}

impl Hash for FloatRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Adding zero gives `-0.0` and `0.0`, which are equal, the same bits.
        (self.from + 0.0).to_bits().hash(state);
        (self.to + 0.0).to_bits().hash(state);
    }
}

impl Size {
    /// The size without limits.
    pub const ANY: Size = Size { min: 0, max: None };
    /// The size of empty collections.
    pub const ZERO: Size = Size { min: 0, max: Some(0) };

    /// Returns the size with exactly this number.
    pub fn exactly(count: usize) -> Size {
        let count = count as u64;
        Size { min: count, max: Some(count) }
    }

    /// Whether it contains a number.
    pub fn contains(self, count: usize) -> bool {
        let count = count as u64;
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }

    /// Whether it contains another range.
    pub fn covers(self, other: Size) -> bool {
        self.min <= other.min && self.max.is_none_or(|max| other.max.is_some_and(|it| it <= max))
    }
}

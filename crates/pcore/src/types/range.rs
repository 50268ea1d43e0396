use std::hash::{Hash, Hasher};

use crate::value::Integer;

/// A range of integers; `None` is open.
///
/// Equality does not look at the direction: the same numbers lie in it.
#[derive(Clone, Debug, Default)]
pub struct IntegerRange {
    /// Least value.
    pub from: Option<Integer>,
    /// Greatest value.
    pub to: Option<Integer>,
    /// Whether iteration goes from the greatest to the least (X15).
    pub descends: bool,
}

/// A range of floats, infinite where it is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatRange {
    /// Least value.
    pub from: f64,
    /// Greatest value.
    pub to: f64,
}

/// How many elements or characters; `None` is no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Least number.
    pub min: u64,
    /// Greatest number.
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
    /// The range from the least to the greatest.
    pub fn ascending(from: Option<Integer>, to: Option<Integer>) -> IntegerRange {
        IntegerRange { from, to, descends: false }
    }

    /// Whether a number lies in it.
    pub fn contains(&self, value: &Integer) -> bool {
        self.from.as_ref().is_none_or(|from| from <= value) && self.to.as_ref().is_none_or(|to| value <= to)
    }

    /// Whether all of another range lies in it.
    // Apart, so that telling kinds of types apart has nothing to do with large numbers.
    #[inline(never)]
    pub fn covers(&self, other: &IntegerRange) -> bool {
        let from = self.from.as_ref().is_none_or(|from| other.from.as_ref().is_some_and(|it| from <= it));
        let to = self.to.as_ref().is_none_or(|to| other.to.as_ref().is_some_and(|it| it <= to));
        from && to
    }

    /// The same range, where the least and the greatest number of 64 bits are the ends of all integers.
    pub fn with_ends(&self) -> IntegerRange {
        IntegerRange {
            from: Some(self.from.clone().unwrap_or_else(|| i64::MIN.into())),
            to: Some(self.to.clone().unwrap_or_else(|| i64::MAX.into())),
            descends: self.descends,
        }
    }

    /// Both ends are known.
    pub fn is_finite(&self) -> bool {
        self.from.is_some() && self.to.is_some()
    }
}

impl FloatRange {
    /// All floats.
    pub const ALL: FloatRange = FloatRange { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Whether a number lies in it; a NaN lies in none.
    pub fn contains(self, value: f64) -> bool {
        self.from <= value && value <= self.to
    }

    /// Whether all of another range lies in it.
    pub fn covers(self, other: FloatRange) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

// Bounds come from literals and conversions, which give no NaN.
impl Eq for FloatRange {}

impl Hash for FloatRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Adding zero makes `-0.0` and `0.0`, which are equal, the same bits.
        (self.from + 0.0).to_bits().hash(state);
        (self.to + 0.0).to_bits().hash(state);
    }
}

impl Size {
    /// Any number.
    pub const ANY: Size = Size { min: 0, max: None };
    /// None at all.
    pub const ZERO: Size = Size { min: 0, max: Some(0) };

    /// Exactly this many.
    pub fn exactly(count: usize) -> Size {
        let count = count as u64;
        Size { min: count, max: Some(count) }
    }

    /// Whether a number lies in it.
    pub fn contains(self, count: usize) -> bool {
        let count = count as u64;
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }

    /// Whether all of another lies in it.
    pub fn covers(self, other: Size) -> bool {
        self.min <= other.min && self.max.is_none_or(|max| other.max.is_some_and(|it| it <= max))
    }
}

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;

/// An integer: with 64 bits in `puppet8` and `spec`, unlimited in the dialects of 2014.
///
/// Invariant: a number that fits into 64 bits is never big, so that equal numbers are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<BigInt>),
}

/// The error for a result that overflows 64 bits in a dialect without larger integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerOverflow(pub BigInt);

impl fmt::Display for IntegerOverflow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.0.sign() == num_bigint::Sign::Minus { "min" } else { "max" };
        write!(out, "resulted in a value outside of Puppet Integer {bound} range, got '{}'", self.0)
    }
}

impl Integer {
    /// Returns the number, if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(_) => None,
        }
    }

    /// Returns the number as an arbitrary-size integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(value) => BigInt::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// A separate function, so that comparisons of small numbers don't include code for large ones.
    #[cold]
    fn cmp_big(&self, other: &Integer) -> std::cmp::Ordering {
        self.to_big().cmp(&other.to_big())
    }

    /// Returns the nearest float; infinite if it is out of range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(value) => *value as f64,
            // `BigInt` prints digits that `f64` can always parse.
            Repr::Big(value) => value.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// Truncates a finite float to an integer.
    pub fn from_f64_truncated(value: f64) -> Option<Integer> {
        if !value.is_finite() {
            return None;
        }
        let value = value.trunc();
        if (-9.0e18..=9.0e18).contains(&value) {
            return Some(Integer::from(value as i64));
        }
        // Without fraction and exponent, the text has all digits.
        format!("{value:.0}").parse::<BigInt>().ok().map(Integer::from)
    }

    /// Parses digits with a radix up to 36; `None` if they are invalid.
    pub fn from_digits(digits: &str, radix: u32) -> Option<Integer> {
        BigInt::parse_bytes(digits.as_bytes(), radix).map(Integer::from)
    }

    /// Returns the number if it fits into 64 bits.
    pub fn checked(value: BigInt) -> Result<Integer, IntegerOverflow> {
        i64::try_from(&value).map(Integer::from).map_err(|_| IntegerOverflow(value))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer(Repr::Small(value))
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Integer {
        match i64::try_from(&value) {
            Ok(small) => Integer(Repr::Small(small)),
            Err(_) => Integer(Repr::Big(Arc::new(value))),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Integer) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.cmp_big(other),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => value.fmt(out),
            Repr::Big(value) => value.fmt(out),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_small() {
        let big = BigInt::from(i64::MAX) + 1_i64;
        assert_eq!(Integer::from(BigInt::from(5)), Integer::from(5_i64));
        assert!(Integer::from(big.clone()) > Integer::from(i64::MAX));
        assert_eq!(Integer::checked(big.clone()), Err(IntegerOverflow(big)));
    }
}

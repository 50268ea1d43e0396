use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;

/// A whole number: of 64 bits in `puppet8` and `spec`, without limit in the dialects of 2014.
///
/// Invariant: what fits into 64 bits is never big, so that equal numbers are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<BigInt>),
}

/// A result does not fit into 64 bits, and the dialect knows no larger integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerOverflow(pub BigInt);

impl fmt::Display for IntegerOverflow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.0.sign() == num_bigint::Sign::Minus { "min" } else { "max" };
        write!(out, "resulted in a value outside of Puppet Integer {bound} range, got '{}'", self.0)
    }
}

impl Integer {
    /// The number, if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(_) => None,
        }
    }

    /// The number as an arbitrary-size integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(value) => BigInt::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Apart, so that comparing small numbers has nothing to do with large ones.
    #[cold]
    fn cmp_big(&self, other: &Integer) -> std::cmp::Ordering {
        self.to_big().cmp(&other.to_big())
    }

    /// The nearest floating-point number; infinite if there is none.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(value) => *value as f64,
            // BigInt prints digits that `f64` always reads.
            Repr::Big(value) => value.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// The whole part of a finite float.
    pub fn from_f64_truncated(value: f64) -> Option<Integer> {
        if !value.is_finite() {
            return None;
        }
        let value = value.trunc();
        if (-9.0e18..=9.0e18).contains(&value) {
            return Some(Integer::from(value as i64));
        }
        // Without fraction and exponent, all digits are there.
        format!("{value:.0}").parse::<BigInt>().ok().map(Integer::from)
    }

    /// The number that digits of a radix up to 36 write; none if they are none.
    pub fn from_digits(digits: &str, radix: u32) -> Option<Integer> {
        BigInt::parse_bytes(digits.as_bytes(), radix).map(Integer::from)
    }

    /// The number, where it must fit into 64 bits.
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

//! Numbers of seconds, and arithmetic of nanoseconds with numbers.

use std::cmp::Ordering;

use super::{NANOSECONDS_PER_SECOND, TimeError};
use crate::dialect::{FloatSeconds, Texts};

/// A number of the language.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// The value of an `Integer`.
    Integer(i64),
    /// The value of a `Float`.
    Float(f64),
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number::Integer(value)
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number::Float(value)
    }
}

impl Number {
    /// Returns the nanoseconds of this number of seconds; those of a float are truncated.
    pub(super) fn to_nanoseconds(self) -> Result<i128, TimeError> {
        match self {
            Number::Integer(seconds) => Ok(i128::from(seconds) * NANOSECONDS_PER_SECOND),
            Number::Float(seconds) => truncate(seconds * NANOSECONDS_PER_SECOND as f64),
        }
    }
}

/// Returns the nanoseconds of a float of seconds.
pub(super) fn nanoseconds_of_float(seconds: f64, texts: &Texts) -> Result<i128, TimeError> {
    if texts.float_seconds == FloatSeconds::Product {
        return Number::Float(seconds).to_nanoseconds();
    }
    let whole = truncate(seconds)?.checked_mul(NANOSECONDS_PER_SECOND).ok_or(TimeError::Overflow)?;
    let fraction = truncate((seconds.fract() * NANOSECONDS_PER_SECOND as f64).round())?;
    whole.checked_add(fraction).ok_or(TimeError::Overflow)
}

/// Truncates a float towards zero.
pub(super) fn truncate(value: f64) -> Result<i128, TimeError> {
    if !value.is_finite() {
        return Err(TimeError::not_finite(value));
    }
    if value.abs() >= -(i128::MIN as f64) {
        return Err(TimeError::Overflow);
    }
    Ok(value as i128)
}

/// Returns the whole seconds, rounded down.
pub(super) fn whole_seconds(nanoseconds: i128) -> i128 {
    nanoseconds.div_euclid(NANOSECONDS_PER_SECOND)
}

/// Returns the seconds with their fraction.
pub(super) fn seconds(nanoseconds: i128) -> f64 {
    quotient(nanoseconds, NANOSECONDS_PER_SECOND)
}

/// Compares nanoseconds with a number of seconds: with an integer by their whole seconds. `None` for NaN.
pub(super) fn compare(nanoseconds: i128, number: Number) -> Option<Ordering> {
    match number {
        Number::Integer(integer) => Some(whole_seconds(nanoseconds).cmp(&i128::from(integer))),
        Number::Float(float) => seconds(nanoseconds).partial_cmp(&float),
    }
}

/// Whether Ruby would store this integer in a machine word. It divides larger ones with a different algorithm and rounding.
pub(super) fn is_small(value: i128) -> bool {
    const SMALL: i128 = 1 << 62;
    (-SMALL..SMALL).contains(&value)
}

/// Returns `dividend / divisor` as a float, rounded like Ruby's `Integer#fdiv`: reduced first, then divided as floats
/// if the divisor is small, otherwise as integers with at least 64 significant bits.
pub(super) fn quotient(dividend: i128, divisor: i128) -> f64 {
    let common = greatest_common_divisor(dividend.unsigned_abs(), divisor.unsigned_abs());
    if divisor == 0 || common == 0 {
        return dividend as f64 / divisor as f64;
    }
    let (upper, lower) = (dividend.unsigned_abs() / common, divisor.unsigned_abs() / common);
    let magnitude = if is_small(i128::try_from(lower).unwrap_or(i128::MAX)) {
        upper as f64 / lower as f64
    } else if upper == 0 {
        0.0
    } else {
        // The divisor has 63 bits or more: it is truncated to 64, towards minus infinity. The dividend is shifted to
        // fill all 128.
        let lower_shift = 64 - lower.leading_zeros() as i32;
        let lower = if lower_shift > 0 {
            let lost = lower.trailing_zeros() < lower_shift as u32;
            (lower >> lower_shift) + u128::from(lost && divisor < 0)
        } else {
            lower << -lower_shift
        };
        let upper_shift = upper.leading_zeros() as i32;
        let digits = (upper << upper_shift) / lower;
        digits as f64 * 2f64.powi(-upper_shift - lower_shift)
    };
    if (dividend < 0) == (divisor < 0) { magnitude } else { -magnitude }
}

fn greatest_common_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

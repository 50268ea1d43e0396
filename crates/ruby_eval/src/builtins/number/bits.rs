//! Operations on the bits of integers.

use num_bigint::{BigInt, Sign};

use super::arithmetic::coerced;
use super::{ensure_size, this_integer};
use crate::builtins::support::{Outside, span};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::{ErrorClass, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("&", 1, |vm, call| combine(vm, call, |a, b| a & b, |a, b| a & b)),
    exactly("|", 1, |vm, call| combine(vm, call, |a, b| a | b, |a, b| a | b)),
    exactly("^", 1, |vm, call| combine(vm, call, |a, b| a ^ b, |a, b| a ^ b)),
    exactly("~", 0, |_, call| Ok(Value::big(!this_integer(call)?))),
    exactly("<<", 1, |vm, call| shift(vm, call, false)),
    exactly(">>", 1, |vm, call| shift(vm, call, true)),
    between("[]", 1, 2, bit),
    exactly("bit_length", 0, |_, call| {
        let number = this_integer(call)?;
        let bits = if number.sign() == Sign::Minus { (!number).bits() } else { number.bits() };
        Ok(Value::Integer(i64::try_from(bits).unwrap_or(i64::MAX)))
    }),
    exactly("allbits?", 1, |vm, call| {
        let mask = mask(vm, call)?;
        Ok(Value::Bool(this_integer(call)? & &mask == mask))
    }),
    exactly("anybits?", 1, |vm, call| Ok(Value::Bool(this_integer(call)? & mask(vm, call)? != BigInt::ZERO))),
    exactly("nobits?", 1, |vm, call| Ok(Value::Bool(this_integer(call)? & mask(vm, call)? == BigInt::ZERO))),
];

fn mask(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<BigInt> {
    match to_big(call.required(0)) {
        Some(it) => Ok(it),
        None => Ok(BigInt::from(vm.expect_integer(call.required(0))?)),
    }
}

fn combine(
    vm: &mut Vm<'_>,
    call: &Call<'_>,
    small: fn(i64, i64) -> i64,
    big: fn(BigInt, BigInt) -> BigInt,
) -> Result {
    match (call.this, call.required(0)) {
        (Value::Integer(a), Value::Integer(b)) => Ok(Value::Integer(small(*a, *b))),
        (_, other) => match to_big(other) {
            Some(other) => Ok(Value::big(big(this_integer(call)?, other))),
            None => coerced(vm, call),
        },
    }
}

/// An argument that must be an integer; `nil` is named as in messages of implicit conversions.
fn expect_integer(vm: &mut Vm<'_>, value: &Value) -> Result<i64> {
    match value {
        Value::Nil | Value::Bool(_) => vm.no_conversion(value, "Integer"),
        _ => vm.expect_integer(value),
    }
}

fn shift(vm: &mut Vm<'_>, call: &Call<'_>, right: bool) -> Result {
    let number = this_integer(call)?;
    let places = match call.required(0) {
        Value::Integer(it) => *it,
        Value::BigInteger(it) => {
            let is_right = (it.sign() == Sign::Plus) == right;
            return match (is_right, number.sign()) {
                (true, Sign::Minus) => Ok(Value::Integer(-1)),
                (true, _) | (_, Sign::NoSign) => Ok(Value::Integer(0)),
                _ => vm.raise(ErrorClass::Range, "shift width too big"),
            };
        }
        other => expect_integer(vm, other)?,
    };
    let left = if right { places.checked_neg() } else { Some(places) };
    let Some(left) = left else { return unsupported("shifts of this size") };
    if left <= 0 {
        let places = left.unsigned_abs();
        if places >= number.bits() {
            return Ok(Value::Integer(if number.sign() == Sign::Minus { -1 } else { 0 }));
        }
        return Ok(Value::big(number >> places));
    }
    if number == BigInt::ZERO {
        return Ok(Value::Integer(0));
    }
    ensure_size(vm, number.bits().saturating_add(left.unsigned_abs()))?;
    Ok(Value::big(number << left.unsigned_abs()))
}

/// Whether a bit of the two's complement is set.
fn has_bit(number: &BigInt, index: u64) -> bool {
    match index >= number.bits() {
        true => number.sign() == Sign::Minus,
        false => number.bit(index),
    }
}

fn bit(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let number = this_integer(call)?;
    let (start, count) = match call.arguments {
        [Value::Range(range)] => {
            let known = matches!((&range.begin, &range.end), (Value::Integer(a), Value::Integer(b)) if *a >= 0 && b >= a);
            match known.then(|| span(vm, range, usize::MAX, Outside::Nothing)).transpose()?.flatten() {
                Some((start, count)) => (start as u64, count as u64),
                None => return unsupported("Integer#[] with this range"),
            }
        }
        [Value::BigInteger(index)] => {
            let set = index.sign() == Sign::Plus && number.sign() == Sign::Minus;
            return Ok(Value::Integer(i64::from(set)));
        }
        [index] => {
            let index = u64::try_from(expect_integer(vm, index)?);
            return Ok(Value::Integer(i64::from(index.is_ok_and(|it| has_bit(&number, it)))));
        }
        [start, count, ..] => {
            let (start, count) = (vm.expect_integer(start)?, vm.expect_integer(count)?);
            match (u64::try_from(start), u64::try_from(count)) {
                (Ok(start), Ok(count)) => (start, count),
                _ => return unsupported("Integer#[] with negative positions"),
            }
        }
        [] => return Ok(Value::Nil),
    };
    ensure_size(vm, count)?;
    let mask = (BigInt::from(1) << count) - 1;
    let shifted = match start >= number.bits() {
        true => BigInt::from(if number.sign() == Sign::Minus { -1 } else { 0 }),
        false => number >> start,
    };
    Ok(Value::big(shifted & mask))
}

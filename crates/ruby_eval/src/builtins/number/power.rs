//! Powers of integers and floats.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::arithmetic::coerced;
use super::{Number, ensure_size, to_f64};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::{ErrorClass, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("**", 1, power),
    between("pow", 1, 2, |vm, call| match call.argument(1) {
        None => power(vm, call),
        Some(modulus) => modular(vm, call, modulus),
    }),
];

pub(super) fn power(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = Number::this(call)?;
    let Some(exponent) = Number::of(call.required(0)) else { return coerced(vm, call) };
    if matches!(this, Number::Float(_)) || matches!(exponent, Number::Float(_)) {
        let (base, exponent) = (this.to_f64(), exponent.to_f64());
        if base < 0.0 && exponent.is_finite() && exponent != exponent.round() {
            return unsupported("powers that are complex numbers");
        }
        return Ok(Value::Float(base.powf(exponent)));
    }
    let (Some(base), Some(exponent)) = (to_big(call.this), to_big(call.required(0))) else {
        return coerced(vm, call);
    };
    if exponent.sign() == Sign::Minus {
        if base == BigInt::ZERO {
            return vm.raise(ErrorClass::ZeroDivision, "divided by 0");
        }
        return unsupported("powers that are rational numbers");
    }
    if base.magnitude().bits() <= 1 {
        let odd = exponent.is_odd();
        return Ok(match base.sign() {
            Sign::NoSign => Value::Integer(i64::from(exponent == BigInt::ZERO)),
            Sign::Plus => Value::Integer(1),
            Sign::Minus => Value::Integer(if odd { -1 } else { 1 }),
        });
    }
    let Ok(exponent) = u32::try_from(&exponent) else { return unsupported("powers of this size") };
    let bits = base.bits().saturating_mul(u64::from(exponent));
    ensure_size(vm, bits)?;
    let words = (bits / 64).saturating_mul(bits / 64) / 4096;
    vm.world.spend(usize::try_from(words).unwrap_or(usize::MAX))?;
    Ok(Value::big(base.pow(exponent)))
}

fn modular(vm: &mut Vm<'_>, call: &Call<'_>, modulus: &Value) -> Result {
    let (Some(base), Some(exponent)) = (to_big(call.this), to_big(call.required(0))) else {
        return vm.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer");
    };
    if exponent.sign() == Sign::Minus {
        return vm.raise(
            ErrorClass::Range,
            "Integer#pow() 1st argument cannot be negative when 2nd argument specified",
        );
    }
    let Some(modulus) = to_big(modulus) else {
        return vm.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers");
    };
    if modulus == BigInt::ZERO {
        return vm.raise(ErrorClass::ZeroDivision, "divided by 0");
    }
    let work = modulus.bits().saturating_mul(modulus.bits()) / 64 * exponent.bits() / 64;
    ensure_size(vm, base.bits().max(modulus.bits()))?;
    vm.world.spend(usize::try_from(work / 64).unwrap_or(usize::MAX))?;
    Ok(Value::big(base.modpow(&exponent, &modulus)))
}

/// `Integer.sqrt`
pub(super) fn integer_root(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let number = match call.required(0) {
        Value::BigInteger(it) => BigInt::clone(it),
        other => BigInt::from(vm.expect_integer(other)?),
    };
    if number.sign() == Sign::Minus {
        return vm.raise_named("Math::DomainError", "Numerical argument is out of domain - \"isqrt\"");
    }
    let words = (number.bits() / 64).pow(2);
    vm.world.spend(usize::try_from(words).unwrap_or(usize::MAX))?;
    Ok(Value::big(number.sqrt()))
}

/// The logarithm of an integer, which may be larger than floats are.
pub(super) fn logarithm(number: &BigInt, log: fn(f64) -> f64, of_two: f64) -> f64 {
    match number.bits().checked_sub(53).filter(|_| number.bits() >= 1023) {
        Some(shift) => log(to_f64(&(number >> shift))) + shift as f64 * of_two,
        None => log(to_f64(number)),
    }
}

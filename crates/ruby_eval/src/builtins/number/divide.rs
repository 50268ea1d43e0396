//! Division.

use num_bigint::BigInt;
use num_integer::Integer;

use super::arithmetic::coerced;
use super::{Number, ensure_size, to_f64};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::vm::{ErrorClass, float_to_big, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("/", 1, divide),
    exactly("div", 1, div),
    exactly("%", 1, modulo),
    exactly("modulo", 1, modulo),
    exactly("remainder", 1, remainder),
    exactly("divmod", 1, |vm, call| match operands(vm, call)? {
        Some(Pair::Integers(a, b)) => {
            let (quotient, rest) = a.div_mod_floor(&b);
            Ok(Value::array(vec![Value::big(quotient), Value::big(rest)]))
        }
        Some(Pair::Floats(a, b)) => {
            if b == 0.0 {
                return by_zero(vm);
            }
            let (quotient, rest) = float_divmod(a, b);
            Ok(Value::array(vec![whole(vm, quotient)?, Value::Float(rest)]))
        }
        None => coerced(vm, call),
    }),
    exactly("fdiv", 1, fdiv),
];

/// Two integers, or two numbers of which one is a float.
enum Pair {
    Integers(BigInt, BigInt),
    Floats(f64, f64),
}

/// The operands of a division; None if the right one is not a built-in number. Integers are not divided by 0.
fn operands(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<Pair>> {
    let this = Number::this(call)?;
    let Some(other) = Number::of(call.required(0)) else { return Ok(None) };
    if let (Some(a), Some(b)) = (to_big(call.this), to_big(call.required(0))) {
        if b == BigInt::ZERO {
            return by_zero(vm);
        }
        ensure_size(vm, a.bits())?;
        let words = usize::try_from((a.bits() / 64).saturating_mul(b.bits() / 64) / 256);
        vm.world.spend(words.unwrap_or(usize::MAX))?;
        return Ok(Some(Pair::Integers(a, b)));
    }
    Ok(Some(Pair::Floats(this.to_f64(), other.to_f64())))
}

fn by_zero<T>(vm: &mut Vm<'_>) -> Result<T> {
    vm.raise(ErrorClass::ZeroDivision, "divided by 0")
}

fn divide(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if let (Value::Integer(a), Value::Integer(b)) = (call.this, call.required(0))
        && *b != 0
        && let Some(quotient) = a.checked_div(*b)
    {
        let inexact = a % b != 0 && (*a < 0) != (*b < 0);
        return Ok(Value::Integer(if inexact { quotient - 1 } else { quotient }));
    }
    match operands(vm, call)? {
        Some(Pair::Integers(a, b)) => Ok(Value::big(a.div_floor(&b))),
        Some(Pair::Floats(a, b)) => Ok(Value::Float(a / b)),
        None => coerced(vm, call),
    }
}

fn div(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match operands(vm, call)? {
        Some(Pair::Integers(a, b)) => Ok(Value::big(a.div_floor(&b))),
        Some(Pair::Floats(_, 0.0)) => by_zero(vm),
        Some(Pair::Floats(a, b)) => match call.this {
            Value::Float(_) => whole(vm, (a / b).floor()),
            _ => {
                let (quotient, _) = float_divmod(a, b);
                whole(vm, quotient)
            }
        },
        None => coerced(vm, call),
    }
}

fn modulo(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match operands(vm, call)? {
        Some(Pair::Integers(a, b)) => Ok(Value::big(a.mod_floor(&b))),
        Some(Pair::Floats(_, 0.0)) => by_zero(vm),
        Some(Pair::Floats(a, b)) => Ok(Value::Float(float_modulo(a, b))),
        None => coerced(vm, call),
    }
}

fn remainder(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match operands(vm, call)? {
        Some(Pair::Integers(a, b)) => Ok(Value::big(a % b)),
        Some(Pair::Floats(_, 0.0)) => by_zero(vm),
        Some(Pair::Floats(a, b)) => {
            if b.is_infinite() && a.is_finite() {
                return Ok(Value::Float(a));
            }
            let rest = float_modulo(a, b);
            let opposite = rest != 0.0 && (a < 0.0) != (b < 0.0);
            Ok(Value::Float(if opposite { rest - b } else { rest }))
        }
        None => coerced(vm, call),
    }
}

/// The rest of a division of floats that has the sign of the divisor.
fn float_modulo(a: f64, b: f64) -> f64 {
    let rest = if b.is_infinite() && a.is_finite() { a } else { a % b };
    if b * rest < 0.0 { rest + b } else { rest }
}

/// The quotient of floats, rounded down, and the rest.
fn float_divmod(a: f64, b: f64) -> (f64, f64) {
    let rest = if b.is_infinite() && a.is_finite() { a } else { a % b };
    let quotient = if a.is_infinite() && b.is_finite() { a } else { ((a - rest) / b).round() };
    if b * rest < 0.0 { (quotient - 1.0, rest + b) } else { (quotient, rest) }
}

/// A float without fraction as an integer.
pub(super) fn whole(vm: &mut Vm<'_>, float: f64) -> Result {
    match float_to_big(float.trunc()) {
        Some(it) => Ok(Value::big(it)),
        None => vm.raise(ErrorClass::FloatDomain, super::float_text(float)),
    }
}

fn fdiv(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = Number::this(call)?;
    let Some(other) = Number::of(call.required(0)) else { return coerced(vm, call) };
    if let (Some(a), Some(b)) = (to_big(call.this), to_big(call.required(0)))
        && b != BigInt::ZERO
    {
        if a.bits() > 900 || b.bits() > 900 {
            return crate::stop::unsupported("Integer#fdiv of large integers");
        }
        return Ok(Value::Float(ratio(a, b)));
    }
    Ok(Value::Float(this.to_f64() / other.to_f64()))
}

/// The quotient of two integers as CRuby calculates it: by a small one as floats, by others exactly.
pub(super) fn ratio(a: BigInt, b: BigInt) -> f64 {
    let divisor = a.gcd(&b);
    if divisor == BigInt::ZERO {
        return to_f64(&a) / to_f64(&b);
    }
    let (a, b) = (a / &divisor, b / &divisor);
    if b.bits() <= 62 {
        return to_f64(&a) / to_f64(&b);
    }
    // A quotient of 66 bits and more, whose last bit says whether there is a rest.
    let shift = (b.bits() + 66).saturating_sub(a.bits());
    let (quotient, rest) = ((a << shift) as BigInt).div_rem(&b);
    let sticky = (quotient << 1u32) | BigInt::from(i32::from(rest != BigInt::ZERO));
    let half = i32::try_from(shift + 1).unwrap_or(i32::MAX) / 2;
    let other = i32::try_from(shift + 1).unwrap_or(i32::MAX) - half;
    to_f64(&sticky) * 2f64.powi(-half) * 2f64.powi(-other)
}

//! Addition, subtraction, multiplication, signs.

use num_bigint::BigInt;

use super::{Number, ensure_size};
use crate::native::{Call, NativeMethod, exactly, refused};
use crate::stop::Result;
use crate::vm::to_big;
use crate::{Symbol, Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("+", 1, |vm, call| calculate(vm, call, i64::checked_add, |a, b| a + b, |a, b| a + b)),
    exactly("-", 1, |vm, call| calculate(vm, call, i64::checked_sub, |a, b| a - b, |a, b| a - b)),
    exactly("*", 1, |vm, call| {
        if let (Some(a), Some(b)) = (Number::of(call.this), Number::of(call.required(0))) {
            charge_product(vm, a, b)?;
        }
        calculate(vm, call, i64::checked_mul, |a, b| a * b, |a, b| a * b)
    }),
    exactly("-@", 0, |_, call| {
        Ok(match Number::this(call)? {
            Number::Small(it) => {
                it.checked_neg().map_or_else(|| Value::big(-BigInt::from(it)), Value::Integer)
            }
            Number::Big(it) => Value::big(-it),
            Number::Float(it) => Value::Float(-it),
        })
    }),
    exactly("+@", 0, |_, call| Ok(call.this.clone())),
    exactly("abs", 0, abs),
    exactly("magnitude", 0, abs),
    exactly("coerce", 1, coerce),
    exactly("real?", 0, |_, _| Ok(Value::Bool(true))),
    exactly("real", 0, |_, call| Ok(call.this.clone())),
    refused("to_c"),
    refused("to_r"),
    refused("rationalize"),
    refused("quo"),
    refused("i"),
    refused("abs2"),
    refused("arg"),
    refused("angle"),
    refused("phase"),
    refused("polar"),
    refused("rect"),
    refused("rectangular"),
    refused("conj"),
    refused("conjugate"),
    refused("imag"),
    refused("imaginary"),
    refused("numerator"),
    refused("denominator"),
];

/// An operation on two numbers: integers stay exact, floats win.
pub(super) fn calculate(
    vm: &mut Vm<'_>,
    call: &Call<'_>,
    small: fn(i64, i64) -> Option<i64>,
    big: fn(BigInt, BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Result {
    let this = Number::this(call)?;
    let Some(other) = Number::of(call.required(0)) else { return coerced(vm, call) };
    match (this, other) {
        (Number::Small(a), Number::Small(b)) => {
            if let Some(it) = small(a, b) {
                return Ok(Value::Integer(it));
            }
        }
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            return Ok(Value::Float(float(this.to_f64(), other.to_f64())));
        }
        _ => {}
    }
    let (Some(a), Some(b)) = (to_big(call.this), to_big(call.required(0))) else { return coerced(vm, call) };
    ensure_size(vm, a.bits().max(b.bits()))?;
    Ok(Value::big(big(a, b)))
}

fn charge_product(vm: &Vm<'_>, a: Number<'_>, b: Number<'_>) -> Result<()> {
    if let (Number::Big(a), Number::Big(b)) = (a, b) {
        ensure_size(vm, a.bits() + b.bits())?;
        let words = (a.bits() / 64).saturating_mul(b.bits() / 64) / 256;
        vm.world.spend(usize::try_from(words).unwrap_or(usize::MAX))?;
    }
    Ok(())
}

/// An operator with a right side that is not a built-in number: by `coerce` of the right side.
pub(super) fn coerced(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    match coerced_pair(vm, call.this, other)? {
        Some((left, right)) => vm.send(&left, call.name, &[right], None, None),
        None => {
            let (other, class) = (vm.compared_name(other)?, vm.class_of(call.this).display_name());
            vm.type_error(format!("{other} can't be coerced into {class}"))
        }
    }
}

/// The result of `coerce` of the right side; None if it has no such method.
pub(super) fn coerced_pair(vm: &mut Vm<'_>, left: &Value, right: &Value) -> Result<Option<(Value, Value)>> {
    if !matches!(right, Value::Object(_)) || !vm.responds_to(right, "coerce") {
        return Ok(None);
    }
    let Value::Array(pair) = vm.call(right, "coerce", std::slice::from_ref(left))? else {
        return vm.type_error("coerce must return [x, y]");
    };
    match pair.snapshot().as_slice() {
        [left, right] => Ok(Some((left.clone(), right.clone()))),
        _ => vm.type_error("coerce must return [x, y]"),
    }
}

fn abs(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(match Number::this(call)? {
        Number::Small(it) => it.checked_abs().map_or_else(|| Value::big(-BigInt::from(it)), Value::Integer),
        Number::Big(it) => Value::big(BigInt::from(it.magnitude().clone())),
        Number::Float(it) => Value::Float(it.abs()),
    })
}

fn coerce(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    match (Number::this(call)?, Number::of(other)) {
        (Number::Small(_) | Number::Big(_), Some(Number::Small(_) | Number::Big(_))) => {
            Ok(Value::array(vec![other.clone(), call.this.clone()]))
        }
        (this, _) => {
            let other = super::convert::to_float(vm, other, true)?;
            Ok(Value::array(vec![Value::Float(other), Value::Float(this.to_f64())]))
        }
    }
}

/// Calls an operator.
pub(super) fn operate(vm: &mut Vm<'_>, left: &Value, operator: &str, right: &Value) -> Result {
    vm.send(left, Symbol::new(operator), std::slice::from_ref(right), None, None)
}

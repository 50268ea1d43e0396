//! `sum`, with the compensated summation of floats that CRuby does.

use num_bigint::BigInt;

use super::{Flow, fold};
use crate::builtins::number::{to_f64, to_float};
use crate::native::{Call, NativeMethod, between};
use crate::stop::Result;
use crate::vm::to_big;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[between("sum", 0, 1, sum)];

fn sum(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let start = call.argument(0).cloned().unwrap_or(Value::Integer(0));
    let block = call.block.cloned();
    let first = match call.this {
        Value::Array(array) if array.is_empty() => return Ok(start),
        Value::Array(_) if Sum::is_other(&start) => Sum::Late { start, sum: None },
        _ => Sum::from(start),
    };
    let sum = fold(vm, call.this, first, move |vm, sum, values| {
        let value = match &block {
            Some(block) => vm.yield_to(block, values)?,
            None => super::packed(values),
        };
        sum.add(vm, value)?;
        Ok(Flow::More)
    })?;
    sum.finish(vm)
}

/// A sum of the values so far.
enum Sum {
    /// A sum of integers in 64 bits.
    Integer(i64),
    /// A sum of integers.
    Exact(BigInt),
    /// A sum of floats with its compensation (Kahan and Babuška).
    Float { sum: f64, compensation: f64 },
    /// A sum by `+`.
    Other(Value),
    /// A sum of integers, to which a start that is not a number is added at the end: the sum of an array.
    Late { start: Value, sum: Option<BigInt> },
}

impl Sum {
    /// The sum of nothing but a start.
    fn from(start: Value) -> Sum {
        match start {
            Value::Integer(it) => Sum::Integer(it),
            Value::Float(sum) => Sum::Float { sum, compensation: 0.0 },
            other => match to_big(&other) {
                Some(big) => Sum::Exact(big),
                None => Sum::Other(other),
            },
        }
    }

    /// Whether a start is none of the built-in numbers.
    fn is_other(start: &Value) -> bool {
        matches!(Sum::from(start.clone()), Sum::Other(_))
    }

    /// Adds a value.
    fn add(&mut self, vm: &mut Vm<'_>, value: Value) -> Result<()> {
        match (&mut *self, &value) {
            (Sum::Integer(sum), Value::Integer(it)) => match sum.checked_add(*it) {
                Some(it) => *sum = it,
                None => *self = Sum::Exact(BigInt::from(*sum) + *it),
            },
            (Sum::Integer(sum), Value::BigInteger(it)) => *self = Sum::Exact(&**it + *sum),
            (Sum::Exact(sum), Value::Integer(it)) => *sum += *it,
            (Sum::Exact(sum), Value::BigInteger(it)) => *sum += &**it,
            (Sum::Integer(sum), Value::Float(it)) => *self = Sum::float(*sum as f64, *it),
            (Sum::Exact(sum), Value::Float(it)) => *self = Sum::float(to_f64(sum), *it),
            (Sum::Float { sum, compensation }, _) => match float_of(&value) {
                Some(it) => compensated(sum, compensation, it),
                None => {
                    let left = Value::Float(*sum);
                    *self = Sum::Other(vm.call(&left, "+", &[value])?);
                }
            },
            (Sum::Late { sum, .. }, Value::Integer(_) | Value::BigInteger(_)) => {
                let value = to_big(&value).unwrap_or_default();
                *sum = Some(sum.take().unwrap_or_default() + value);
            }
            (Sum::Late { .. }, _) => {
                let left = match std::mem::replace(self, Sum::Integer(0)) {
                    Sum::Late { start, sum: None } => start,
                    left => left.finish(vm)?,
                };
                *self = match (&left, &value) {
                    (Value::Nil, Value::Float(_)) => {
                        return vm.type_error("no implicit conversion to float from nil");
                    }
                    (Value::String(_), Value::Float(_)) => {
                        return vm.type_error("no implicit conversion to float from string");
                    }
                    (_, Value::Float(float)) => Sum::float(to_float(vm, &left, false)?, *float),
                    _ => Sum::Other(vm.call(&left, "+", &[value])?),
                };
            }
            (Sum::Other(left), _) => *left = vm.call(&left.clone(), "+", &[value])?,
            (Sum::Integer(_) | Sum::Exact(_), _) => {
                let left = std::mem::replace(self, Sum::Integer(0)).finish(vm)?;
                *self = Sum::Other(vm.call(&left, "+", &[value])?);
            }
        }
        Ok(())
    }

    fn float(mut sum: f64, value: f64) -> Sum {
        let mut compensation = 0.0;
        compensated(&mut sum, &mut compensation, value);
        Sum::Float { sum, compensation }
    }

    /// The sum.
    fn finish(self, vm: &mut Vm<'_>) -> Result {
        match self {
            Sum::Integer(it) => Ok(Value::Integer(it)),
            Sum::Exact(it) => Ok(Value::big(it)),
            Sum::Float { sum, compensation } => Ok(Value::Float(sum + compensation)),
            Sum::Other(it) => Ok(it),
            Sum::Late { start, sum } => vm.call(&Value::big(sum.unwrap_or_default()), "+", &[start]),
        }
    }
}

fn float_of(value: &Value) -> Option<f64> {
    match value {
        Value::Float(it) => Some(*it),
        Value::Integer(it) => Some(*it as f64),
        Value::BigInteger(it) => Some(to_f64(it)),
        _ => None,
    }
}

fn compensated(sum: &mut f64, compensation: &mut f64, value: f64) {
    if sum.is_nan() {
        return;
    }
    if value.is_nan() {
        *sum = value;
    } else if value.is_infinite() {
        let opposite = sum.is_infinite() && value.is_sign_negative() != sum.is_sign_negative();
        *sum = if opposite { f64::NAN } else { value };
    } else if sum.is_finite() {
        let total = *sum + value;
        *compensation += match sum.abs() >= value.abs() {
            true => (*sum - total) + value,
            false => (value - total) + *sum,
        };
        *sum = total;
    }
}

//! `sum`, with the compensated summation of floats that CRuby does.

use num_bigint::BigInt;

use super::{Flow, fold};
use crate::builtins::number::to_f64;
use crate::native::{Call, NativeMethod, between};
use crate::stop::Result;
use crate::vm::to_big;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[between("sum", 0, 1, sum)];

fn sum(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let start = call.argument(0).cloned().unwrap_or(Value::Integer(0));
    let block = call.block.cloned();
    let sum = fold(vm, call.this, Sum::from(start), move |vm, sum, values| {
        let value = match &block {
            Some(block) => vm.yield_to(block, values)?,
            None => super::packed(values),
        };
        sum.add(vm, value)?;
        Ok(Flow::More)
    })?;
    Ok(sum.finish())
}

/// A sum of the values so far.
pub(in crate::builtins) enum Sum {
    /// A sum of integers in 64 bits.
    Integer(i64),
    /// A sum of integers.
    Exact(BigInt),
    /// A sum of floats with its compensation (Kahan and Babuška).
    Float { sum: f64, compensation: f64 },
    /// A sum by `+`.
    Other(Value),
}

impl Sum {
    /// The sum of nothing but a start.
    pub(in crate::builtins) fn from(start: Value) -> Sum {
        match start {
            Value::Integer(it) => Sum::Integer(it),
            Value::Float(sum) => Sum::Float { sum, compensation: 0.0 },
            other => match to_big(&other) {
                Some(big) => Sum::Exact(big),
                None => Sum::Other(other),
            },
        }
    }

    /// Adds a value.
    pub(in crate::builtins) fn add(&mut self, vm: &mut Vm<'_>, value: Value) -> Result<()> {
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
            (Sum::Other(left), _) => *left = vm.call(&left.clone(), "+", &[value])?,
            (Sum::Integer(_) | Sum::Exact(_), _) => {
                let left = std::mem::replace(self, Sum::Integer(0)).finish();
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
    pub(in crate::builtins) fn finish(self) -> Value {
        match self {
            Sum::Integer(it) => Value::Integer(it),
            Sum::Exact(it) => Value::big(it),
            Sum::Float { sum, compensation } => Value::Float(sum + compensation),
            Sum::Other(it) => it,
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

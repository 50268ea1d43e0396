//! `Numeric`, `Integer`, `Float`, `Math`, and the conversions of `Kernel`.

mod arithmetic;
mod bits;
mod compare;
mod convert;
mod divide;
mod float;
mod integer;
mod math;
mod parse;
mod power;
mod round;
mod step;

pub(super) use convert::{KERNEL, to_float};
pub(crate) use marotte_pcore::print::float_text;
pub(super) use math::{DOMAIN_ERROR, MATH};
pub(crate) use parse::{float_text as parse_float, integer_text as parse_integer};
pub(super) use step::{float_step_count, float_steps};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::native::{Call, NativeClass};
use crate::stop::{Result, unsupported};
use crate::vm::to_big;
use crate::{Value, Vm};

/// `Numeric`
pub(super) static NUMERIC: NativeClass = NativeClass {
    name: "Numeric",
    superclass: Some("Object"),
    includes: &["Comparable"],
    methods: &[arithmetic::METHODS, compare::METHODS, divide::METHODS, step::METHODS, round::METHODS],
    ..NativeClass::EMPTY
};

/// `Integer`
pub(super) static INTEGER: NativeClass = NativeClass {
    name: "Integer",
    superclass: Some("Numeric"),
    methods: &[integer::METHODS, bits::METHODS, power::METHODS],
    singleton_methods: &[integer::CLASS_METHODS],
    ..NativeClass::EMPTY
};

/// `Float`
pub(super) static FLOAT: NativeClass = NativeClass {
    name: "Float",
    superclass: Some("Numeric"),
    methods: &[float::METHODS],
    constants: float::CONSTANTS,
    ..NativeClass::EMPTY
};

/// A number that methods calculate with.
#[derive(Clone, Copy)]
enum Number<'a> {
    Small(i64),
    Big(&'a BigInt),
    Float(f64),
}

impl<'a> Number<'a> {
    /// The number that a value is.
    fn of(value: &'a Value) -> Option<Number<'a>> {
        match value {
            Value::Integer(it) => Some(Number::Small(*it)),
            Value::BigInteger(it) => Some(Number::Big(it)),
            Value::Float(it) => Some(Number::Float(*it)),
            _ => None,
        }
    }

    /// The receiver of a method of a number.
    fn this(call: &Call<'a>) -> Result<Number<'a>> {
        match Number::of(call.this) {
            Some(number) => Ok(number),
            None => unsupported(format!("Numeric#{} of another class", call.name)),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Number::Small(it) => it as f64,
            Number::Big(it) => to_f64(it),
            Number::Float(it) => it,
        }
    }
}

/// The nearest float.
pub(crate) fn to_f64(number: &BigInt) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}

/// The integer that the receiver is.
fn this_integer(call: &Call<'_>) -> Result<BigInt> {
    match to_big(call.this) {
        Some(it) => Ok(it),
        None => unsupported(format!("Integer#{} of another object", call.name)),
    }
}

/// The float that the receiver is.
fn this_float(call: &Call<'_>) -> Result<f64> {
    match call.this {
        Value::Float(it) => Ok(*it),
        _ => unsupported(format!("Float#{} of another object", call.name)),
    }
}

/// The maximal number of bits of integers that are computed here.
const MOST_BITS: u64 = 1 << 25;

/// Rejects integers of too many bits before they are created.
fn ensure_size(vm: &Vm<'_>, bits: u64) -> Result<()> {
    if bits > MOST_BITS {
        return unsupported("integers of more than 4 MiB");
    }
    vm.world.allocate(usize::try_from(bits / 8).unwrap_or(usize::MAX))
}

//! Rounding.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::Number;
use super::divide::{ratio, whole};
use crate::builtins::support::only_keyword;
use crate::native::{Call, NativeMethod, between};
use crate::stop::{Result, unsupported};
use crate::vm::{ErrorClass, float_to_big, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("round", 0, 1, |vm, call| {
        let half = only_keyword(vm, call, "half")?;
        let digits = digits(vm, call)?;
        if digits.is_none() && !matches!(call.this, Value::Float(_)) {
            return Ok(call.this.clone());
        }
        let half = Half::of(vm, half.as_ref())?;
        rounded(vm, call, digits.unwrap_or(0), Rounding::Nearest(half))
    })
    .with_keywords(),
    between("floor", 0, 1, |vm, call| {
        let digits = digits(vm, call)?.unwrap_or(0);
        rounded(vm, call, digits, Rounding::Down)
    }),
    between("ceil", 0, 1, |vm, call| {
        let digits = digits(vm, call)?.unwrap_or(0);
        rounded(vm, call, digits, Rounding::Up)
    }),
    between("truncate", 0, 1, |vm, call| {
        let digits = digits(vm, call)?.unwrap_or(0);
        let negative = match Number::this(call)? {
            Number::Small(it) => it < 0,
            Number::Big(it) => it.sign() == Sign::Minus,
            Number::Float(it) => it < 0.0,
        };
        rounded(vm, call, digits, if negative { Rounding::Up } else { Rounding::Down })
    }),
];

/// The rounding of a number halfway between two others.
#[derive(Clone, Copy)]
enum Half {
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// To the even one.
    Even,
}

/// The direction of rounding.
#[derive(Clone, Copy)]
enum Rounding {
    Nearest(Half),
    Down,
    Up,
}

impl Half {
    fn of(vm: &mut Vm<'_>, option: Option<&Value>) -> Result<Half> {
        let name = match option {
            None | Some(Value::Nil) => return Ok(Half::Up),
            Some(Value::Symbol(name)) => name.name().to_string(),
            Some(Value::String(text)) => text.lossy(),
            Some(other) => {
                let other = vm.inspect(other)?;
                return vm.argument_error(format!("invalid rounding mode ({other})"));
            }
        };
        match name.as_str() {
            "up" => Ok(Half::Up),
            "down" => Ok(Half::Down),
            "even" => Ok(Half::Even),
            _ => vm.argument_error(format!("invalid rounding mode: {name}")),
        }
    }
}

fn digits(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<i32>> {
    let Some(argument) = call.argument(0) else { return Ok(None) };
    let digits = vm.expect_integer(argument)?;
    match i32::try_from(digits) {
        Ok(digits) => Ok(Some(digits)),
        Err(_) => {
            let size = if digits > 0 { "big" } else { "small" };
            vm.raise(ErrorClass::Range, format!("integer {digits} too {size} to convert to `int'"))
        }
    }
}

fn rounded(vm: &mut Vm<'_>, call: &Call<'_>, digits: i32, rounding: Rounding) -> Result {
    let Number::Float(float) = Number::this(call)? else {
        return integer(vm, call.this, digits, rounding);
    };
    if digits > 0 {
        return Ok(Value::Float(fraction(float, digits, rounding)?));
    }
    let nearest = match rounding {
        Rounding::Nearest(half) if digits == 0 => round_float(float, 1.0, half),
        Rounding::Nearest(_) => float.trunc(),
        Rounding::Down => float.floor(),
        Rounding::Up => float.ceil(),
    };
    let nearest = whole(vm, nearest)?;
    integer(vm, &nearest, digits, rounding)
}

/// Rounds an integer to a multiple of a power of 10.
fn integer(vm: &mut Vm<'_>, value: &Value, digits: i32, rounding: Rounding) -> Result {
    let Some(number) = to_big(value).filter(|_| digits < 0) else { return Ok(value.clone()) };
    let places = digits.unsigned_abs();
    // CRuby treats a number as 0 if it is small compared with the power of 10.
    let bytes = match value {
        Value::Integer(_) => 8,
        _ => number.bits().div_ceil(8),
    };
    if 0.415_241 * f64::from(places) - 0.125 > bytes as f64 {
        return Ok(Value::Integer(0));
    }
    if places > 100_000 {
        return unsupported("rounding to this many digits");
    }
    vm.world.spend(places as usize)?;
    let unit = BigInt::from(10).pow(places);
    let below = number.div_floor(&unit) * &unit;
    let rest = &number - &below;
    let up = match rounding {
        Rounding::Down => false,
        // CRuby rounds large integers to the next multiple even if they are one.
        Rounding::Up => rest != BigInt::ZERO || matches!(value, Value::BigInteger(_)),
        Rounding::Nearest(half) => match (&rest * 2u32).cmp(&unit) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => match half {
                Half::Up => number.sign() != Sign::Minus,
                Half::Down => number.sign() == Sign::Minus,
                Half::Even => (&below / &unit).is_odd(),
            },
        },
    };
    Ok(Value::big(if up { below + unit } else { below }))
}

/// The exponent of the least power of 2 that is greater than a number.
fn binary_exponent(float: f64) -> i32 {
    let bits = float.to_bits();
    match i32::try_from((bits >> 52) & 0x7ff).unwrap_or(0) {
        0 if float == 0.0 => 0,
        0 => binary_exponent(float * 2f64.powi(64)) - 64,
        exponent => exponent - 1022,
    }
}

/// Rounds to this many digits after the decimal point.
fn fraction(float: f64, digits: i32, rounding: Rounding) -> Result<f64> {
    if !float.is_finite() || float == 0.0 {
        return Ok(float);
    }
    let exponent = binary_exponent(float);
    let exact = 17 - if exponent > 0 { exponent / 4 } else { exponent / 3 - 1 };
    if digits >= exact {
        return Ok(float);
    }
    let vanishes = digits < -(if exponent > 0 { exponent / 3 + 1 } else { exponent / 4 });
    let ten = power_of_ten(digits);
    match rounding {
        Rounding::Nearest(_) if vanishes => Ok(0.0),
        Rounding::Nearest(half) if digits > 14 => exactly(float, digits, half),
        Rounding::Nearest(half) => Ok(round_float(float, ten, half) / ten),
        Rounding::Down if float > 0.0 && vanishes => Ok(0.0),
        Rounding::Up if float < 0.0 && vanishes => Ok(0.0),
        Rounding::Down => {
            let below = (float * ten).floor();
            let above = (below + 1.0) / ten;
            Ok(if above > float { below / ten } else { above })
        }
        Rounding::Up => Ok((float * ten).ceil() / ten),
    }
}

/// A power of 10, correctly rounded.
fn power_of_ten(digits: i32) -> f64 {
    format!("1e{digits}").parse().unwrap_or(f64::INFINITY)
}

/// Rounds a float times a scale, as CRuby does: the scaled number is inexact, so the result is checked against the float.
fn round_float(float: f64, scale: f64, half: Half) -> f64 {
    let scaled = float * scale;
    let positive = float > 0.0;
    match half {
        Half::Up => {
            let nearest = scaled.round();
            if scale == 1.0 {
                nearest
            } else if positive {
                if (nearest + 0.5) / scale <= float { nearest + 1.0 } else { nearest }
            } else if (nearest - 0.5) / scale >= float {
                nearest - 1.0
            } else {
                nearest
            }
        }
        Half::Down => {
            let nearest = scaled.round();
            if positive {
                if (nearest - 0.5) / scale >= float { nearest - 1.0 } else { nearest }
            } else if (nearest + 0.5) / scale <= float {
                nearest + 1.0
            } else {
                nearest
            }
        }
        Half::Even => {
            let magnitude = scaled.abs();
            let below = magnitude.floor();
            let rest = magnitude - below;
            let step = if rest > 0.5 {
                1.0
            } else if rest == 0.5 || (below + 0.5) / scale <= float.abs() {
                below % 2.0
            } else {
                0.0
            };
            if positive { below + step } else { -(below + step) }
        }
    }
}

/// Rounds exactly.
fn exactly(float: f64, digits: i32, half: Half) -> Result<f64> {
    let Some(numerator) = float_to_big(float.trunc()) else { return Ok(float) };
    let (mut numerator, mut denominator) = (numerator, BigInt::from(1));
    if float != float.trunc() {
        // The float is a fraction whose denominator is a power of 2.
        let shift = u32::try_from(1075 - ((float.to_bits() >> 52) & 0x7ff)).unwrap_or(0);
        let mantissa = float.to_bits() & 0xf_ffff_ffff_ffff;
        let mantissa = if shift == 1075 { mantissa << 1 } else { mantissa | 0x10_0000_0000_0000 };
        numerator = BigInt::from(mantissa);
        denominator <<= shift;
    } else {
        numerator = BigInt::from(numerator.magnitude().clone());
    }
    let places = u32::try_from(digits).unwrap_or(0);
    let scaled = numerator * BigInt::from(10).pow(places);
    let (mut nearest, rest) = scaled.div_mod_floor(&denominator);
    let up = match (rest * 2u32).cmp(&denominator) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => match half {
            Half::Up => true,
            Half::Down => false,
            Half::Even => nearest.is_odd(),
        },
    };
    if up {
        nearest += 1;
    }
    let magnitude = ratio(nearest, BigInt::from(10).pow(places));
    Ok(if float < 0.0 { -magnitude } else { magnitude })
}

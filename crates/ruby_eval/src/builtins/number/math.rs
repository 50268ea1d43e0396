//! `Math`

use num_bigint::Sign;

use super::convert::to_float;
use super::power::logarithm;
use crate::native::{Call, NativeClass, NativeMethod, between, exactly, refused};
use crate::stop::Result;
use crate::{Value, Vm};

/// `Math`
pub(in crate::builtins) static MATH: NativeClass = NativeClass {
    name: "Math",
    singleton_methods: &[METHODS],
    constants: &[
        ("PI", |_| Ok(Value::Float(std::f64::consts::PI))),
        ("E", |_| Ok(Value::Float(std::f64::consts::E))),
    ],
    ..NativeClass::EMPTY
};

/// `Math::DomainError`
pub(in crate::builtins) static DOMAIN_ERROR: NativeClass =
    NativeClass { name: "Math::DomainError", superclass: Some("ArgumentError"), ..NativeClass::EMPTY };

const METHODS: &[NativeMethod] = &[
    exactly("sqrt", 1, |vm, call| {
        let number = argument(vm, call, 0)?;
        if number < 0.0 {
            return out_of_domain(vm, call);
        }
        Ok(Value::Float(if number == 0.0 { 0.0 } else { number.sqrt() }))
    }),
    exactly("cbrt", 1, |vm, call| of_one(vm, call, f64::cbrt)),
    exactly("sin", 1, |vm, call| of_one(vm, call, f64::sin)),
    exactly("cos", 1, |vm, call| of_one(vm, call, f64::cos)),
    exactly("tan", 1, |vm, call| of_one(vm, call, f64::tan)),
    exactly("atan", 1, |vm, call| of_one(vm, call, f64::atan)),
    exactly("sinh", 1, |vm, call| of_one(vm, call, f64::sinh)),
    exactly("cosh", 1, |vm, call| of_one(vm, call, f64::cosh)),
    exactly("tanh", 1, |vm, call| of_one(vm, call, f64::tanh)),
    exactly("exp", 1, |vm, call| of_one(vm, call, f64::exp)),
    exactly("asin", 1, |vm, call| within(vm, call, -1.0, 1.0, f64::asin)),
    exactly("acos", 1, |vm, call| within(vm, call, -1.0, 1.0, f64::acos)),
    exactly("atan2", 2, |vm, call| {
        let (y, x) = (argument(vm, call, 0)?, argument(vm, call, 1)?);
        Ok(Value::Float(y.atan2(x)))
    }),
    exactly("hypot", 2, |vm, call| {
        let (x, y) = (argument(vm, call, 0)?, argument(vm, call, 1)?);
        Ok(Value::Float(x.hypot(y)))
    }),
    between("log", 1, 2, |vm, call| {
        let number = log_of(vm, call, 0, f64::ln, std::f64::consts::LN_2)?;
        if call.argument(1).is_none() {
            return Ok(Value::Float(number));
        }
        Ok(Value::Float(number / log_of(vm, call, 1, f64::ln, std::f64::consts::LN_2)?))
    }),
    exactly("log2", 1, |vm, call| Ok(Value::Float(log_of(vm, call, 0, f64::log2, 1.0)?))),
    exactly("log10", 1, |vm, call| {
        Ok(Value::Float(log_of(vm, call, 0, f64::log10, std::f64::consts::LOG10_2)?))
    }),
    refused("asinh"),
    refused("acosh"),
    refused("atanh"),
    refused("gamma"),
    refused("lgamma"),
    refused("erf"),
    refused("erfc"),
    refused("frexp"),
    refused("ldexp"),
];

fn argument(vm: &mut Vm<'_>, call: &Call<'_>, index: usize) -> Result<f64> {
    to_float(vm, call.required(index), false)
}

fn of_one(vm: &mut Vm<'_>, call: &Call<'_>, function: fn(f64) -> f64) -> Result {
    Ok(Value::Float(function(argument(vm, call, 0)?)))
}

fn within(vm: &mut Vm<'_>, call: &Call<'_>, least: f64, most: f64, function: fn(f64) -> f64) -> Result {
    let number = argument(vm, call, 0)?;
    if number < least || number > most {
        return out_of_domain(vm, call);
    }
    Ok(Value::Float(function(number)))
}

fn out_of_domain<T>(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<T> {
    let message = format!("Numerical argument is out of domain - {}", call.name);
    vm.raise_named("Math::DomainError", message)
}

fn log_of(vm: &mut Vm<'_>, call: &Call<'_>, index: usize, log: fn(f64) -> f64, of_two: f64) -> Result<f64> {
    if let Value::BigInteger(it) = call.required(index)
        && it.sign() == Sign::Plus
    {
        return Ok(logarithm(it, log, of_two));
    }
    let number = argument(vm, call, index)?;
    if number < 0.0 {
        return out_of_domain(vm, call);
    }
    Ok(if number == 0.0 { f64::NEG_INFINITY } else { log(number) })
}

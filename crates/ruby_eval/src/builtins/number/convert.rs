//! Conversions of `Kernel`: `Integer()`, `Float()`, `Array()`, `Hash()`.

use super::divide::whole;
use super::{Number, parse_float, parse_integer};
use crate::builtins::random;
use crate::builtins::support::{hash_argument, only_keyword, try_array};
use crate::native::{Call, NativeClass, NativeMethod, between, exactly, refused};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

/// The conversions of `Kernel`, and its random numbers.
pub(in crate::builtins) static KERNEL: NativeClass = NativeClass {
    name: "Kernel",
    methods: &[METHODS, random::KERNEL_METHODS],
    singleton_methods: &[METHODS, random::KERNEL_METHODS],
    ..NativeClass::EMPTY
};

const METHODS: &[NativeMethod] = &[
    between("Integer", 1, 2, |vm, call| or_nil(vm, call, integer)).with_keywords(),
    exactly("Float", 1, |vm, call| {
        or_nil(vm, call, |vm, call| Ok(Value::Float(to_float(vm, call.required(0), true)?)))
    })
    .with_keywords(),
    exactly("Array", 1, |vm, call| {
        let value = call.required(0);
        if let Some(array) = try_array(vm, value)? {
            return Ok(Value::Array(array));
        }
        if value.is_nil() {
            return Ok(Value::array(Vec::new()));
        }
        if matches!(value, Value::Object(_) | Value::Hash(_) | Value::Range(_) | Value::Match(_))
            && vm.responds_to(value, "to_a")
        {
            return match vm.call(value, "to_a", &[])? {
                array @ Value::Array(_) => Ok(array),
                Value::Nil => Ok(Value::array(vec![value.clone()])),
                other => {
                    let (class, made) =
                        (vm.class_of(value).display_name(), vm.class_of(&other).display_name());
                    vm.type_error(format!("can't convert {class} to Array ({class}#to_a gives {made})"))
                }
            };
        }
        Ok(Value::array(vec![value.clone()]))
    }),
    exactly("Hash", 1, |vm, call| match call.required(0) {
        Value::Nil => Ok(Value::hash([])),
        Value::Array(it) if it.is_empty() => Ok(Value::hash([])),
        value @ Value::Hash(_) => Ok(value.clone()),
        value if vm.responds_to(value, "to_hash") => Ok(Value::Hash(hash_argument(vm, value)?)),
        value => no_conversion(vm, value, "Hash"),
    }),
    refused("Rational"),
    refused("Complex"),
];

fn no_conversion<T>(vm: &mut Vm<'_>, value: &Value, into: &str) -> Result<T> {
    let name = vm.conversion_name(value);
    vm.type_error(format!("can't convert {name} into {into}"))
}

/// The result of a conversion; `nil` instead of an exception with `exception: false`.
fn or_nil(vm: &mut Vm<'_>, call: &Call<'_>, convert: fn(&mut Vm<'_>, &Call<'_>) -> Result) -> Result {
    let raises = match only_keyword(vm, call, "exception")? {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Bool(false)) => false,
        Some(other) => {
            let other = vm.inspect(&other)?;
            return vm.argument_error(format!("expected true or false as exception: {other}"));
        }
    };
    match convert(vm, call) {
        Err(stop) if !raises && matches!(*stop, Stop::Raise(_)) => Ok(Value::Nil),
        result => result,
    }
}

fn integer(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let value = call.required(0);
    let base = match call.argument(1) {
        None | Some(Value::Nil) => None,
        Some(base) => Some(vm.expect_integer(base)?),
    };
    match value {
        Value::String(text) => integer_of_text(vm, text, base.unwrap_or(0)),
        _ if base.is_some() => vm.argument_error("base specified for non string value"),
        Value::Integer(_) | Value::BigInteger(_) => Ok(value.clone()),
        Value::Float(float) => whole(vm, *float),
        Value::Nil => vm.type_error("can't convert nil into Integer"),
        Value::Object(_) => {
            for name in ["to_int", "to_i"] {
                if vm.responds_to(value, name) {
                    match vm.call(value, name, &[])? {
                        it @ (Value::Integer(_) | Value::BigInteger(_)) => return Ok(it),
                        _ => continue,
                    }
                }
            }
            no_conversion(vm, value, "Integer")
        }
        _ => no_conversion(vm, value, "Integer"),
    }
}

fn integer_of_text(vm: &mut Vm<'_>, text: &StringObject, base: i64) -> Result {
    let base = match base {
        0 | 2..=36 => u32::try_from(base).unwrap_or(0),
        ..0 => return unsupported("Integer() with a negative base"),
        _ => return vm.argument_error(format!("invalid radix {base}")),
    };
    let bytes = text.bytes().len();
    vm.world.spend((bytes / 16).saturating_mul(bytes / 16))?;
    let number = text.text().and_then(|it| parse_integer(&it, base));
    match number {
        Some(number) => Ok(Value::big(number)),
        None => invalid(vm, text, "Integer()"),
    }
}

fn invalid<T>(vm: &mut Vm<'_>, text: &StringObject, function: &str) -> Result<T> {
    let copy = StringObject::new(text.bytes().clone(), text.encoding());
    let text = vm.inspect(&Value::String(std::rc::Rc::new(copy)))?;
    vm.argument_error(format!("invalid value for {function}: {text}"))
}

/// A number as a float; strings only where they are converted explicitly.
pub(in crate::builtins) fn to_float(vm: &mut Vm<'_>, value: &Value, strings: bool) -> Result<f64> {
    if let Some(number) = Number::of(value) {
        return Ok(number.to_f64());
    }
    match value {
        Value::String(text) if strings => {
            let number = text.text().and_then(|it| parse_float(&it));
            match number {
                Some(number) => Ok(number),
                None if text.bytes().contains(&0) => vm.argument_error("string for Float contains null byte"),
                None => {
                    let encoding = if text.bytes().is_ascii() { text.encoding() } else { Encoding::Binary };
                    invalid(vm, &StringObject::new(text.bytes().clone(), encoding), "Float()")
                }
            }
        }
        Value::Object(_) if vm.is_a(value, "Numeric") || (strings && vm.responds_to(value, "to_f")) => {
            match vm.call(value, "to_f", &[])? {
                Value::Float(it) => Ok(it),
                _ => no_conversion(vm, value, "Float"),
            }
        }
        _ => no_conversion(vm, value, "Float"),
    }
}

//! Methods that only floats have.

use std::rc::Rc;

use super::divide::whole;
use super::{power, this_float};
use crate::native::{Call, NativeConstant, NativeMethod, exactly, refused};
use crate::stop::Result;
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("to_s", 0, to_s),
    exactly("inspect", 0, to_s),
    exactly("to_f", 0, |_, call| Ok(call.this.clone())),
    exactly("to_i", 0, |vm, call| whole(vm, this_float(call)?)),
    exactly("to_int", 0, |vm, call| whole(vm, this_float(call)?)),
    exactly("nan?", 0, |_, call| Ok(Value::Bool(this_float(call)?.is_nan()))),
    exactly("next_float", 0, |_, call| Ok(Value::Float(this_float(call)?.next_up()))),
    exactly("prev_float", 0, |_, call| Ok(Value::Float(this_float(call)?.next_down()))),
    exactly("**", 1, power::power),
    exactly("pow", 1, power::power),
    exactly("quo", 1, |vm, call| vm.call(call.this, "/", call.arguments)),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    refused("to_r"),
];

pub(super) const CONSTANTS: &[(&str, NativeConstant)] = &[
    ("INFINITY", |_| Ok(Value::Float(f64::INFINITY))),
    ("NAN", |_| Ok(Value::Float(f64::NAN))),
    ("EPSILON", |_| Ok(Value::Float(f64::EPSILON))),
    ("MAX", |_| Ok(Value::Float(f64::MAX))),
    ("MIN", |_| Ok(Value::Float(f64::MIN_POSITIVE))),
    ("DIG", |_| Ok(Value::Integer(15))),
    ("MANT_DIG", |_| Ok(Value::Integer(53))),
    ("RADIX", |_| Ok(Value::Integer(2))),
    ("MAX_EXP", |_| Ok(Value::Integer(1024))),
    ("MIN_EXP", |_| Ok(Value::Integer(-1021))),
    ("MAX_10_EXP", |_| Ok(Value::Integer(308))),
    ("MIN_10_EXP", |_| Ok(Value::Integer(-307))),
];

fn to_s(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = super::float_text(this_float(call)?);
    Ok(Value::String(Rc::new(StringObject::new(text.into_bytes(), Encoding::Ascii))))
}

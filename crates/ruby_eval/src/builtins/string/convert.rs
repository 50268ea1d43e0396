//! New strings: `String.new`, `+`, `*`, copies; lengths; conversions to other classes.

use std::rc::Rc;

use super::characters::Characters;
use super::{compatible, integer, made, this};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::vm::ErrorClass;
use crate::{Symbol, Value, Vm};

pub(super) const SINGLETON_METHODS: &[NativeMethod] =
    &[between("new", 0, 1, new).with_keywords(), exactly("try_convert", 1, try_convert)];

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("+", 1, plus),
    exactly("*", 1, times),
    exactly("+@", 0, unfrozen),
    exactly("-@", 0, deduplicated),
    exactly("dedup", 0, deduplicated),
    exactly("to_s", 0, itself),
    exactly("to_str", 0, itself),
    exactly("to_sym", 0, to_sym),
    exactly("intern", 0, to_sym),
    exactly("length", 0, length),
    exactly("size", 0, length),
    exactly("bytesize", 0, |_, call| Ok(integer(this(call)?.bytes().len()))),
    exactly("empty?", 0, |_, call| Ok(Value::Bool(this(call)?.bytes().is_empty()))),
    exactly("b", 0, |vm, call| made(vm, this(call)?.bytes().clone(), Encoding::Binary)),
];

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if !matches!(call.this, Value::Class(class) if Rc::ptr_eq(class, vm.world.class("String"))) {
        return unsupported("a subclass of String");
    }
    let mut encoding = None;
    for (key, value) in call.keywords.map(|it| it.snapshot()).unwrap_or_default() {
        match &key {
            Value::Symbol(name) if &*name.name() == "encoding" => {
                encoding = Some(super::encoding::expect_encoding(vm, &value)?);
            }
            Value::Symbol(name) if &*name.name() == "capacity" => {
                vm.expect_integer(&value)?;
            }
            _ => {
                let key = vm.inspect(&key)?;
                return vm.argument_error(format!("unknown keyword: {key}"));
            }
        }
    }
    match call.argument(0) {
        None => made(vm, Vec::new(), encoding.unwrap_or(Encoding::Binary)),
        Some(value) => {
            let text = vm.expect_string(value)?;
            made(vm, text.bytes().clone(), encoding.unwrap_or(text.encoding()))
        }
    }
}

fn try_convert(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.required(0) {
        text @ Value::String(_) => Ok(text.clone()),
        other @ Value::Object(_) if vm.responds_to(other, "to_str") => {
            Ok(Value::String(vm.expect_string(other)?))
        }
        _ => Ok(Value::Nil),
    }
}

fn plus(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let other = vm.expect_string(call.required(0))?;
    let encoding = compatible(vm, this, &other)?;
    let (a, b) = (this.bytes(), other.bytes());
    vm.world.allocate(a.len() + b.len())?;
    made(vm, [a.as_slice(), b.as_slice()].concat(), encoding)
}

fn times(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let count = vm.expect_integer(call.required(0))?;
    let Ok(count) = usize::try_from(count) else { return vm.argument_error("negative argument") };
    let bytes = this.bytes();
    let Some(size) = bytes.len().checked_mul(count).filter(|it| isize::try_from(*it).is_ok()) else {
        return vm.argument_error("argument too big");
    };
    vm.world.allocate(size)?;
    made(vm, bytes.repeat(count), this.encoding())
}

fn unfrozen(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    match this.is_frozen() {
        true => made(vm, this.bytes().clone(), this.encoding()),
        false => Ok(call.this.clone()),
    }
}

fn deduplicated(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if this.is_frozen() {
        return Ok(call.this.clone());
    }
    let copy = made(vm, this.bytes().clone(), this.encoding())?;
    if let Value::String(copy) = &copy {
        copy.freeze();
    }
    Ok(copy)
}

fn itself(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(call.this.clone())
}

fn to_sym(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Symbol(symbol(vm, this(call)?)?))
}

/// The symbol of a string.
pub(crate) fn symbol(vm: &mut Vm<'_>, name: &StringObject) -> Result<Symbol> {
    if let Some(text) = name.text() {
        return vm.world.intern(&text);
    }
    if name.encoding() != Encoding::Utf8 {
        return unsupported("symbols of bytes");
    }
    let inspected = super::inspected(name);
    vm.raise(ErrorClass::Encoding, format!("invalid symbol in encoding UTF-8 :{inspected}"))
}

fn length(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let bytes = this.bytes();
    vm.world.spend(bytes.len() / 256)?;
    Ok(integer(Characters::of(&bytes, this.encoding()).count()))
}

//! Equality and order of strings.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{compatible, this};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, Key, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("==", 1, equal),
    exactly("===", 1, equal),
    exactly("eql?", 1, eql),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    exactly("<=>", 1, compare),
    exactly("casecmp", 1, casecmp),
    exactly("casecmp?", 1, is_casecmp),
];

fn equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    match other {
        Value::String(_) => Ok(Value::Bool(Key::new(call.this) == Key::new(other))),
        Value::Object(_) if vm.responds_to(other, "to_str") => {
            let equal = vm.call(other, "==", std::slice::from_ref(call.this))?;
            Ok(Value::Bool(equal.is_truthy()))
        }
        _ => Ok(Value::Bool(false)),
    }
}

fn eql(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    Ok(Value::Bool(matches!(other, Value::String(_)) && Key::new(call.this) == Key::new(other)))
}

fn compare(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    match call.required(0) {
        Value::String(other) => Ok(Value::Integer(order(this, other) as i64)),
        other @ Value::Object(_) => match vm.call(other, "<=>", std::slice::from_ref(call.this))? {
            Value::Integer(order) => Ok(Value::Integer(-order)),
            Value::Nil => Ok(Value::Nil),
            _ => unsupported("String#<=> with an object"),
        },
        _ => Ok(Value::Nil),
    }
}

/// The order of two strings by their bytes, and where those are the same, of their encodings.
fn order(left: &StringObject, right: &StringObject) -> Ordering {
    let number = |it: Encoding| match it {
        Encoding::Binary => 0,
        Encoding::Utf8 => 1,
        Encoding::Ascii => 2,
    };
    let bytes = left.bytes().as_slice().cmp(right.bytes().as_slice());
    bytes.then_with(|| match left.bytes().is_ascii() {
        true => Ordering::Equal,
        false => number(left.encoding()).cmp(&number(right.encoding())),
    })
}

/// The other string of a comparison without case; None if it is not a string, or of another encoding.
fn comparable<'s>(vm: &mut Vm<'_>, call: &Call<'s>) -> Result<Option<(&'s StringObject, Rc<StringObject>)>> {
    let this = this(call)?;
    let other = match call.required(0) {
        Value::String(other) => Rc::clone(other),
        other @ Value::Object(_) if vm.responds_to(other, "to_str") => vm.expect_string(other)?,
        _ => return Ok(None),
    };
    let same = this.encoding() == other.encoding() || this.bytes().is_ascii() || other.bytes().is_ascii();
    Ok(same.then_some((this, other)))
}

fn casecmp(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some((this, other)) = comparable(vm, call)? else { return Ok(Value::Nil) };
    compatible(vm, this, &other)?;
    let (a, b) = (this.bytes(), other.bytes());
    // Characters beyond ASCII are compared by their bytes, which order as their codes do.
    let order = a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase));
    Ok(Value::Integer(order as i64))
}

fn is_casecmp(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some((this, other)) = comparable(vm, call)? else { return Ok(Value::Nil) };
    let encoding = compatible(vm, this, &other)?;
    let (a, b) = (this.bytes(), other.bytes());
    if a.is_ascii() && b.is_ascii() || encoding != Encoding::Utf8 {
        return Ok(Value::Bool(a.eq_ignore_ascii_case(&b)));
    }
    match (std::str::from_utf8(&a), std::str::from_utf8(&b)) {
        (Ok(a), Ok(b)) => Ok(Value::Bool(super::case::folded(a) == super::case::folded(b))),
        _ => vm.argument_error("input string invalid"),
    }
}

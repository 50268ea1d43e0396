//! Comparison of ranges, and membership.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{is_number, this_range};
use crate::builtins::enumerable::{Flow, fold, packed};
use crate::builtins::support::ensure_key;
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Key, Range};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("==", 1, |vm, call| Ok(Value::Bool(vm.equal(call.this, call.required(0))?))),
    exactly("eql?", 1, |vm, call| {
        ensure_key(vm, call.this)?;
        ensure_key(vm, call.required(0))?;
        Ok(Value::Bool(Key::new(call.this) == Key::new(call.required(0))))
    }),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    exactly("===", 1, |vm, call| Ok(Value::Bool(covers(vm, &this_range(call)?, call.required(0))?))),
    exactly("cover?", 1, |vm, call| {
        let range = this_range(call)?;
        Ok(Value::Bool(match call.required(0) {
            Value::Range(other) => covers_range(vm, &range, other)?,
            value => covers(vm, &range, value)?,
        }))
    }),
    exactly("include?", 1, include),
    exactly("member?", 1, include),
];

/// `left <=> right`; greater where they cannot be compared.
fn order(vm: &mut Vm<'_>, left: &Value, right: &Value) -> Result<Ordering> {
    if let Value::Object(_) = left {
        let answer = vm.call(left, "<=>", std::slice::from_ref(right))?;
        return match answer {
            Value::Nil => Ok(Ordering::Greater),
            other => crate::builtins::support::order_of(vm, &other, left, right),
        };
    }
    Ok(vm.compare(left, right)?.unwrap_or(Ordering::Greater))
}

fn covers(vm: &mut Vm<'_>, range: &Rc<Range>, value: &Value) -> Result<bool> {
    if !range.begin.is_nil() && order(vm, &range.begin, value)?.is_gt() {
        return Ok(false);
    }
    if range.end.is_nil() {
        return Ok(true);
    }
    let order = order(vm, value, &range.end)?;
    Ok(order.is_lt() || (order.is_eq() && !range.exclusive))
}

fn covers_range(vm: &mut Vm<'_>, range: &Rc<Range>, other: &Rc<Range>) -> Result<bool> {
    if (!range.end.is_nil() && other.end.is_nil()) || (!range.begin.is_nil() && other.begin.is_nil()) {
        return Ok(false);
    }
    if !other.begin.is_nil() && !other.end.is_nil() {
        let ends = order(vm, &other.begin, &other.end)?;
        if ends.is_gt() || (other.exclusive && ends.is_eq()) {
            return Ok(false);
        }
    }
    if !other.begin.is_nil() && !covers(vm, range, &other.begin)? {
        return Ok(false);
    }
    let ends = match range.end.is_nil() {
        true => Ordering::Greater,
        false => order(vm, &range.end, &other.end)?,
    };
    if range.exclusive == other.exclusive || range.end.is_nil() {
        return Ok(ends.is_ge());
    }
    if range.exclusive {
        return Ok(ends.is_gt());
    }
    if ends.is_ge() {
        return Ok(true);
    }
    match (&other.begin, &other.end) {
        (Value::Integer(_), Value::Integer(_)) => {
            let greatest = vm.call(&Value::Range(Rc::clone(other)), "max", &[])?;
            Ok(!greatest.is_nil() && order(vm, &range.end, &greatest)?.is_ge())
        }
        _ => unsupported("Range#cover? of this range"),
    }
}

fn include(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    let value = call.required(0);
    if is_number(&range.begin) || is_number(&range.end) {
        return Ok(Value::Bool(covers(vm, &range, value)?));
    }
    match (&range.begin, &range.end) {
        (Value::String(_), Value::String(_)) if !matches!(value, Value::String(_)) => {
            return Ok(Value::Bool(false));
        }
        (Value::Nil, _) | (_, Value::Nil) => return unsupported("Range#include? of an open range"),
        _ => {}
    }
    let wanted = value.clone();
    let found = fold(vm, call.this, false, move |vm, found, values| {
        *found = vm.equal(&packed(values), &wanted)?;
        Ok(if *found { Flow::Enough } else { Flow::More })
    })?;
    Ok(Value::Bool(found))
}

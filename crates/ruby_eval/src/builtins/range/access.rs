//! Methods of `Range` that read its elements.

use std::rc::Rc;

use super::{is_integer, is_number, this_range};
use crate::builtins::enumerable::{self, Flow, Joiner, elements, inject_with};
use crate::builtins::number::{float_step_count, to_f64};
use crate::builtins::support::{block_or_enumerator, charge, count_argument};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::MethodBody;
use crate::vm::{ErrorClass, compare_numbers, to_big};
use crate::{Symbol, Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("begin", 0, |_, call| Ok(this_range(call)?.begin.clone())),
    exactly("end", 0, |_, call| Ok(this_range(call)?.end.clone())),
    exactly("exclude_end?", 0, |_, call| Ok(Value::Bool(this_range(call)?.exclusive))),
    exactly("each", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        super::each(vm, &this_range(call)?, &mut |vm, values| {
            vm.yield_to(&block, values)?;
            Ok(Flow::More)
        })?;
        Ok(call.this.clone())
    }),
    exactly("reverse_each", 0, |vm, call| {
        if this_range(call)?.end.is_nil() && call.block.is_some() {
            return vm.type_error("can't iterate from NilClass");
        }
        inherited(vm, call)
    }),
    between("first", 0, 1, first),
    between("last", 0, 1, last),
    between("min", 0, 1, min),
    between("max", 0, 1, max),
    exactly("minmax", 0, |vm, call| {
        if call.block.is_some() {
            return inherited(vm, call);
        }
        let (least, greatest) = (vm.call(call.this, "min", &[])?, vm.call(call.this, "max", &[])?);
        Ok(Value::array(vec![least, greatest]))
    }),
    exactly("size", 0, size),
    at_least("count", 0, |vm, call| {
        let range = this_range(call)?;
        if call.argument(0).is_some() || call.block.is_some() {
            return inherited(vm, call);
        }
        if range.begin.is_nil() || range.end.is_nil() {
            return Ok(Value::Float(f64::INFINITY));
        }
        match is_integer(&range.begin) && is_integer(&range.end) {
            true => size(vm, call),
            false => inherited(vm, call),
        }
    }),
    exactly("to_a", 0, to_a),
    exactly("entries", 0, to_a),
    between("sum", 0, 1, |vm, call| {
        let range = this_range(call)?;
        let start = call.argument(0).cloned().unwrap_or(Value::Integer(0));
        match (to_big(&range.begin), to_big(&range.end), to_big(&start)) {
            (Some(begin), Some(end), exact) if call.block.is_none() => {
                let end = if range.exclusive { end - 1 } else { end };
                if end < begin {
                    return Ok(start);
                }
                let sum = (&end - &begin + 1) * (end + begin) / 2;
                match exact {
                    Some(start) => Ok(Value::big(sum + start)),
                    None => {
                        let pair = vm.call(&Value::big(sum), "coerce", &[start])?;
                        inject_with(vm, &pair, None, Joiner::Method("+".into()))
                    }
                }
            }
            _ => inherited(vm, call),
        }
    }),
    exactly("inspect", 0, |vm, call| {
        let range = this_range(call)?;
        let text = vm.guarded("inspect", call.this, |vm| {
            let both_open = range.begin.is_nil() && range.end.is_nil();
            let mut text = String::new();
            if !range.begin.is_nil() || both_open {
                text.push_str(&vm.inspect(&range.begin)?);
            }
            text.push_str(if range.exclusive { "..." } else { ".." });
            if !range.end.is_nil() || both_open {
                text.push_str(&vm.inspect(&range.end)?);
            }
            Ok(text)
        })?;
        Ok(Value::string(text.unwrap_or_else(|| "(... .. ...)".to_owned())))
    }),
    exactly("to_s", 0, |vm, call| {
        let range = this_range(call)?;
        let (begin, end) = (vm.to_s(&range.begin)?.lossy(), vm.to_s(&range.end)?.lossy());
        Ok(Value::string(format!("{begin}{}{end}", if range.exclusive { "..." } else { ".." })))
    }),
];

/// Calls the method that `Enumerable` has.
fn inherited(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let module = Rc::clone(vm.world.class("Enumerable"));
    match vm.find_instance_method(&module, call.name).map(|(_, method)| method.body) {
        Some(MethodBody::Native(native)) => {
            vm.call_native(native, call.this, call.name, call.arguments, None, call.block)
        }
        _ => unsupported(format!("Enumerable#{}", call.name)),
    }
}

fn first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    if range.begin.is_nil() {
        return vm.raise(ErrorClass::Range, "cannot get the first element of beginless range");
    }
    let Some(count) = call.argument(0) else { return Ok(range.begin.clone()) };
    let count = count_argument(vm, count, "negative array size (or size too big)")?;
    taken(vm, call.this, count)
}

fn taken(vm: &mut Vm<'_>, this: &Value, count: usize) -> Result {
    if count == 0 {
        let Value::Range(range) = this else { return Ok(Value::array(Vec::new())) };
        super::each(vm, range, &mut |_, _| Ok(Flow::Enough))?;
        return Ok(Value::array(Vec::new()));
    }
    let taken = enumerable::fold(vm, this, Vec::new(), move |vm, taken, values| {
        charge(vm, 1)?;
        taken.push(enumerable::packed(values));
        Ok(if taken.len() == count { Flow::Enough } else { Flow::More })
    })?;
    Ok(Value::array(taken))
}

fn last(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    if range.end.is_nil() {
        return vm.raise(ErrorClass::Range, "cannot get the last element of endless range");
    }
    let Some(count) = call.argument(0) else { return Ok(range.end.clone()) };
    if let (Some(begin), Some(end)) = (to_big(&range.begin), to_big(&range.end)) {
        let end = if range.exclusive { end - 1 } else { end };
        if end < begin {
            return Ok(Value::array(Vec::new()));
        }
        let count = count_argument(vm, count, "negative array size")?;
        let start: num_bigint::BigInt = &end - count + 1;
        let start = start.max(begin);
        let last = crate::value::Range { begin: Value::big(start), end: Value::big(end), exclusive: false };
        return Ok(Value::array(elements(vm, &Value::Range(Rc::new(last)))?));
    }
    let all = to_a(vm, call)?;
    vm.send(&all, Symbol::new("last"), call.arguments, None, None)
}

fn min(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    if range.begin.is_nil() {
        return vm.raise(ErrorClass::Range, "cannot get the minimum of beginless range");
    }
    if call.block.is_some() && range.end.is_nil() {
        return vm.raise(
            ErrorClass::Range,
            "cannot get the minimum of endless range with custom comparison method",
        );
    }
    if call.block.is_some() {
        return inherited(vm, call);
    }
    if call.argument(0).is_some() {
        return first(vm, call);
    }
    if range.end.is_nil() {
        return Ok(range.begin.clone());
    }
    match vm.compare(&range.begin, &range.end)? {
        Some(order) if order.is_lt() || (order.is_eq() && !range.exclusive) => Ok(range.begin.clone()),
        _ => Ok(Value::Nil),
    }
}

fn max(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    let numeric = is_number(&range.end);
    if range.end.is_nil() {
        return vm.raise(ErrorClass::Range, "cannot get the maximum of endless range");
    }
    if call.block.is_some() || (range.exclusive && !numeric) || call.argument(0).is_some() {
        if range.begin.is_nil() {
            return vm.raise(
                ErrorClass::Range,
                "cannot get the maximum of beginless range with custom comparison method",
            );
        }
        return inherited(vm, call);
    }
    let order = match range.begin.is_nil() {
        true => Some(std::cmp::Ordering::Less),
        false => vm.compare(&range.begin, &range.end)?,
    };
    let Some(order) = order.filter(|it| !it.is_gt()) else { return Ok(Value::Nil) };
    if !range.exclusive {
        return Ok(range.end.clone());
    }
    let Some(end) = to_big(&range.end) else {
        return vm.type_error("cannot exclude non Integer end value");
    };
    if order.is_eq() {
        return Ok(Value::Nil);
    }
    if !is_integer(&range.begin) {
        return vm.type_error("cannot exclude end value with non Integer begin value");
    }
    Ok(Value::big(end - 1))
}

fn size(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    let float = |value: &Value| match value {
        Value::Float(it) => *it,
        other => to_big(other).map_or(f64::NAN, |it| to_f64(&it)),
    };
    match (to_big(&range.begin), to_big(&range.end)) {
        (Some(begin), Some(end)) => {
            let size = end - begin + i32::from(!range.exclusive);
            Ok(Value::big(size.max(0.into())))
        }
        (Some(_), None) if range.end.is_nil() => Ok(Value::Float(f64::INFINITY)),
        _ if is_number(&range.begin) && is_number(&range.end) => {
            let count = float_step_count(float(&range.begin), float(&range.end), 1.0, range.exclusive);
            if compare_numbers(&range.begin, &range.end).is_none() {
                return unsupported("the size of a range with NaN");
            }
            match crate::vm::float_to_big(count) {
                Some(it) => Ok(Value::big(it)),
                None if count.is_infinite() => Ok(Value::Float(f64::INFINITY)),
                None => vm.raise(ErrorClass::FloatDomain, "NaN"),
            }
        }
        _ if is_number(&range.begin) && range.end.is_nil() => Ok(Value::Float(f64::INFINITY)),
        _ if range.begin.is_nil() && is_number(&range.end) => Ok(Value::Float(f64::INFINITY)),
        _ => Ok(Value::Nil),
    }
}

fn to_a(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    if range.end.is_nil() {
        return vm.raise(ErrorClass::Range, "cannot convert endless range to an array");
    }
    // The memory is charged first, so that a huge range does not use up all steps.
    if let (Some(begin), Some(end)) = (to_big(&range.begin), to_big(&range.end)) {
        let size = end - begin;
        if size > 0.into() && usize::try_from(&size).map_or(true, |it| it > 1 << 26) {
            vm.world.allocate(usize::MAX)?;
        }
    }
    Ok(Value::array(elements(vm, call.this)?))
}

//! Ranges with steps.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{is_integer, is_number, sequence, this_range};
use crate::builtins::enumerable::{Flow, fold, packed};
use crate::builtins::number::{float_steps, to_f64};
use crate::builtins::support::enumerator;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::{compare_numbers, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[between("step", 0, 1, step), exactly("%", 1, step)];

fn step(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let range = this_range(call)?;
    let unit = call.argument(0).cloned().unwrap_or(Value::Integer(1));
    let unit = match is_number(&unit) {
        true => unit,
        false => Value::Integer(vm.expect_integer(&unit)?),
    };
    let numbers = is_number(&range.begin) && (is_number(&range.end) || range.end.is_nil());
    let order = compare_numbers(&unit, &Value::Integer(0));
    if order == Some(Ordering::Equal) {
        return vm.argument_error("step can't be 0");
    }
    let Some(block) = call.block else {
        let is_sequence = numbers || (range.begin.is_nil() && is_number(&range.end));
        return match (is_sequence, order) {
            (true, Some(Ordering::Greater)) => Ok(sequence(vm, call.this, call.name, call.arguments)),
            (true, _) => unsupported("ranges with negative steps"),
            (false, _) => enumerator(vm, call),
        };
    };
    let block = Rc::clone(block);
    if order == Some(Ordering::Less) {
        return vm.argument_error("step can't be negative");
    }
    if numbers && is_integer(&range.begin) && is_integer(&unit) && !matches!(range.end, Value::Float(_)) {
        let (Some(mut value), Some(unit)) = (to_big(&range.begin), to_big(&unit)) else {
            return unsupported("Range#step");
        };
        let end = to_big(&range.end);
        loop {
            vm.world.spend(1)?;
            match &end {
                Some(end) if value > *end || (range.exclusive && value == *end) => break,
                _ => {}
            }
            vm.yield_to(&block, &[Value::big(value.clone())])?;
            value += &unit;
        }
        return Ok(call.this.clone());
    }
    if numbers {
        let float = |value: &Value| match value {
            Value::Float(it) => *it,
            other => to_big(other).map_or(f64::INFINITY, |it| to_f64(&it)),
        };
        let (begin, end, unit) = (float(&range.begin), float(&range.end), float(&unit));
        float_steps(begin, end, unit, range.exclusive, &mut |value| {
            vm.yield_to(&block, &[Value::Float(value)])?;
            Ok(true)
        })?;
        return Ok(call.this.clone());
    }
    let Value::Integer(unit) = unit else { return unsupported("Range#step by a fraction") };
    fold(vm, call.this, 0_i64, move |vm, index, values| {
        if *index % unit == 0 {
            vm.yield_to(&block, &[packed(values)])?;
        }
        *index += 1;
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}

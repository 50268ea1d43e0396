//! Binary search in ranges of numbers.

use super::{is_integer, is_number, this_range};
use crate::builtins::array::{Search, found_by};
use crate::builtins::number::to_f64;
use crate::builtins::support::block_or_enumerator;
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::to_big;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[exactly("bsearch", 0, bsearch)];

fn bsearch(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let range = this_range(call)?;
    if !(is_number(&range.begin) && is_number(&range.end)) {
        if is_number(&range.begin) || is_number(&range.end) {
            return unsupported("Range#bsearch of an open range");
        }
        let class = vm.class_of(&range.begin).display_name();
        return vm.type_error(format!("can't do binary search for {class}"));
    }
    let floats = !is_integer(&range.begin) || !is_integer(&range.end);
    let position = |value: &Value| match value {
        Value::Float(it) => Some(i128::from(float_position(*it))),
        Value::Integer(it) if !floats => Some(i128::from(*it)),
        other if floats => to_big(other).map(|it| i128::from(float_position(to_f64(&it)))),
        _ => None,
    };
    let (Some(mut low), Some(mut high)) = (position(&range.begin), position(&range.end)) else {
        return unsupported("Range#bsearch of large integers");
    };
    let value_at = |position: i128| {
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        if floats { Value::Float(float_at(position)) } else { Value::Integer(position) }
    };
    if range.exclusive {
        high -= 1;
    }
    let last = high;
    let mut satisfied = Value::Nil;
    while low < high {
        let middle = low + (high - low).div_euclid(2);
        let value = value_at(middle);
        let answer = vm.yield_to(block, std::slice::from_ref(&value))?;
        match found_by(vm, &answer)? {
            Search::Here => return Ok(value),
            Search::Satisfied => (high, satisfied) = (middle, value),
            Search::Left => high = middle,
            Search::Right => low = middle + 1,
        }
    }
    if low == last {
        let value = value_at(low);
        let answer = vm.yield_to(block, std::slice::from_ref(&value))?;
        return Ok(match found_by(vm, &answer)? {
            Search::Here | Search::Satisfied => value,
            Search::Left => satisfied,
            Search::Right => Value::Nil,
        });
    }
    Ok(satisfied)
}

/// The position of a float among all floats in order.
fn float_position(float: f64) -> i64 {
    let magnitude = i64::try_from(float.abs().to_bits()).unwrap_or(i64::MAX);
    if float < 0.0 { -magnitude } else { magnitude }
}

fn float_at(position: i64) -> f64 {
    let magnitude = f64::from_bits(position.unsigned_abs());
    if position < 0 { -magnitude } else { magnitude }
}

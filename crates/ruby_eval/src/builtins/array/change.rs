//! Methods of `Array` that add or replace elements.

use super::{array_arguments, changed_position, splice};
use crate::builtins::support::{
    Outside, array_argument, block_or_enumerator, changed_array, charge, span, try_array,
};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("[]=", 2, 3, assign),
    exactly("<<", 1, append),
    at_least("push", 0, append),
    at_least("append", 0, append),
    at_least("unshift", 0, prepend),
    at_least("prepend", 0, prepend),
    at_least("insert", 1, insert),
    at_least("concat", 0, concat),
    exactly("replace", 1, replace),
    exactly("initialize_copy", 1, replace),
    exactly("map!", 0, map_in_place),
    exactly("collect!", 0, map_in_place),
    between("fill", 0, 3, fill),
];

fn assign(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let value = call.arguments.last().cloned().unwrap_or(Value::Nil);
    let (start, count) = match call.arguments {
        [Value::Range(range), _] => match span(vm, range, array.len(), Outside::Error)? {
            Some(it) => it,
            None => return unsupported("Array#[]= with this range"),
        },
        [index, _] => {
            let index = vm.expect_integer(index)?;
            let position = changed_position(vm, index, array.len())?;
            splice(vm, &array, position, 1, vec![value.clone()])?;
            return Ok(value);
        }
        [start, count, ..] => {
            let (start, count) = (vm.expect_integer(start)?, vm.expect_integer(count)?);
            let Ok(count) = usize::try_from(count) else {
                return vm.raise(ErrorClass::Index, format!("negative length ({count})"));
            };
            (changed_position(vm, start, array.len())?, count)
        }
        _ => return Ok(Value::Nil),
    };
    let items = match try_array(vm, &value)? {
        Some(items) => items.snapshot(),
        None => vec![value.clone()],
    };
    splice(vm, &array, start, count, items)?;
    Ok(value)
}

fn append(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    charge(vm, call.arguments.len())?;
    array.change(|items| items.extend_from_slice(call.arguments));
    Ok(call.this.clone())
}

fn prepend(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    splice(vm, &array, 0, 0, call.arguments.to_vec())?;
    Ok(call.this.clone())
}

fn insert(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let index = vm.expect_integer(call.required(0))?;
    let items = call.arguments[1..].to_vec();
    if items.is_empty() {
        return Ok(call.this.clone());
    }
    let length = array.len();
    let place = match usize::try_from(index) {
        Ok(place) => place,
        Err(_) => match usize::try_from(index + 1 + i64::try_from(length).unwrap_or(0)) {
            Ok(place) => place,
            Err(_) => {
                let least = length + 1;
                return vm.raise(
                    ErrorClass::Index,
                    format!("index {index} too small for array; minimum: -{least}"),
                );
            }
        },
    };
    splice(vm, &array, place, 0, items)?;
    Ok(call.this.clone())
}

fn concat(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let more = array_arguments(vm, call)?;
    array.change(|items| items.extend(more.into_iter().flatten()));
    Ok(call.this.clone())
}

fn replace(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let other = array_argument(vm, call.required(0))?;
    charge(vm, other.len())?;
    let items = other.snapshot();
    array.change(|it| *it = items);
    Ok(call.this.clone())
}

fn map_in_place(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let array = changed_array(vm, call)?;
    let mut index = 0;
    while let Some(item) = array.get(index) {
        let value = vm.yield_to(block, &[item])?;
        vm.ensure_not_frozen(call.this)?;
        if index < array.len() {
            array.change(|items| items[index] = value);
        } else {
            splice(vm, &array, index, 1, vec![value])?;
        }
        index += 1;
    }
    Ok(call.this.clone())
}

fn fill(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let places = match call.block {
        Some(_) => call.arguments,
        None => call.arguments.get(1..).unwrap_or_default(),
    };
    if call.block.is_none() && call.arguments.is_empty() {
        return vm.argument_error("wrong number of arguments (given 0, expected 1..3)");
    }
    if places.len() > 2 {
        return vm.argument_error("wrong number of arguments (given 3, expected 0..2)");
    }
    let array = changed_array(vm, call)?;
    let length = array.len();
    let (start, count) = match places {
        [] | [Value::Nil] | [Value::Nil, Value::Nil] => (0, length),
        [Value::Range(range)] => match span(vm, range, length, Outside::Error)? {
            Some(it) => it,
            None => return Ok(call.this.clone()),
        },
        [start, rest @ ..] => {
            let start = if start.is_nil() { 0 } else { vm.expect_integer(start)? };
            let size = i64::try_from(length).unwrap_or(i64::MAX);
            let start = usize::try_from(if start < 0 { (start + size).max(0) } else { start }).unwrap_or(0);
            match rest {
                [] | [Value::Nil] => (start, length.saturating_sub(start)),
                [count, ..] => (start, usize::try_from(vm.expect_integer(count)?).unwrap_or(0)),
            }
        }
    };
    if start.checked_add(count).is_none_or(|end| end > (i64::MAX as usize) / 8) {
        return vm.argument_error("argument too big");
    }
    if count == 0 {
        return Ok(call.this.clone());
    }
    charge(vm, (start + count).saturating_sub(length))?;
    vm.world.spend(count)?;
    array.change(|items| items.resize(items.len().max(start + count), Value::Nil));
    for index in start..start + count {
        let value = match call.block {
            Some(block) => vm.yield_to(block, &[Value::Integer(i64::try_from(index).unwrap_or(i64::MAX))])?,
            None => call.required(0).clone(),
        };
        if index >= array.len() {
            break;
        }
        array.change(|items| items[index] = value);
    }
    Ok(call.this.clone())
}

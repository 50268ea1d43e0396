//! Methods of `Array` that read elements.

use std::rc::Rc;

use crate::builtins::support::{
    Outside, block_or_enumerator, charge, count_argument, enumerator, position, span, this_array, try_array,
};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("[]", 1, 2, slice),
    between("slice", 1, 2, slice),
    exactly("at", 1, |vm, call| {
        let index = vm.expect_integer(call.required(0))?;
        item(call, index)
    }),
    between("fetch", 1, 2, fetch),
    at_least("values_at", 0, values_at),
    at_least("dig", 1, dig),
    between("first", 0, 1, first),
    between("last", 0, 1, last),
    exactly("take", 1, take),
    exactly("drop", 1, drop_first),
    exactly("length", 0, length),
    exactly("size", 0, length),
    exactly("empty?", 0, |_, call| Ok(Value::Bool(this_array(call)?.is_empty()))),
    exactly("each", 0, each),
    exactly("each_index", 0, each_index),
    exactly("reverse_each", 0, reverse_each),
    between("index", 0, 1, index),
    between("find_index", 0, 1, index),
    between("rindex", 0, 1, rindex),
    exactly("assoc", 1, |vm, call| associated(vm, call, 0)),
    exactly("rassoc", 1, |vm, call| associated(vm, call, 1)),
    exactly("to_a", 0, |_, call| Ok(call.this.clone())),
    exactly("entries", 0, |vm, call| {
        let array = this_array(call)?;
        charge(vm, array.len())?;
        Ok(Value::array(array.snapshot()))
    }),
    exactly("to_ary", 0, |_, call| Ok(call.this.clone())),
    between("cycle", 0, 1, cycle),
    exactly("minmax", 0, minmax),
    exactly("min of a literal", 0, crate::builtins::enumerable::extreme_of_literal),
    exactly("max of a literal", 0, crate::builtins::enumerable::extreme_of_literal),
];

fn number(length: usize) -> Value {
    Value::Integer(i64::try_from(length).unwrap_or(i64::MAX))
}

fn length(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(number(this_array(call)?.len()))
}

fn item(call: &Call<'_>, index: i64) -> Result {
    let array = this_array(call)?;
    Ok(position(index, array.len()).and_then(|it| array.get(it)).unwrap_or(Value::Nil))
}

/// The elements from a start on, up to `count` of them; `nil` if the start lies beyond the end.
pub(super) fn part(vm: &mut Vm<'_>, call: &Call<'_>, start: usize, count: usize) -> Result {
    let array = this_array(call)?;
    if start > array.len() {
        return Ok(Value::Nil);
    }
    let end = start.saturating_add(count).min(array.len());
    charge(vm, end - start)?;
    let items = array.items().get(start..end).unwrap_or_default().to_vec();
    Ok(Value::array(items))
}

fn slice(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    match call.arguments {
        [Value::Integer(index)] => item(call, *index),
        [Value::Range(range)] => match span(vm, range, array.len(), Outside::Nothing)? {
            Some((start, count)) => part(vm, call, start, count),
            None => Ok(Value::Nil),
        },
        [Value::Object(object)] if object.class().display_name().starts_with("Enumerator") => {
            unsupported("Array#[] with an arithmetic sequence")
        }
        [index] => {
            let index = vm.expect_integer(index)?;
            item(call, index)
        }
        [start, count, ..] => {
            let (start, count) = (vm.expect_integer(start)?, vm.expect_integer(count)?);
            match (position(start, array.len()), usize::try_from(count)) {
                (Some(start), Ok(count)) => part(vm, call, start, count),
                _ => Ok(Value::Nil),
            }
        }
        [] => Ok(Value::Nil),
    }
}

fn fetch(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let index = vm.expect_integer(call.required(0))?;
    let length = array.len();
    if let Some(item) = position(index, length).and_then(|it| array.get(it)) {
        return Ok(item);
    }
    match (call.block, call.argument(1)) {
        (Some(block), _) => vm.yield_to(block, &[call.required(0).clone()]),
        (None, Some(otherwise)) => Ok(otherwise.clone()),
        (None, None) => vm.raise(
            ErrorClass::Index,
            format!("index {index} outside of array bounds: {}...{length}", super::lowest(length)),
        ),
    }
}

fn values_at(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let mut all = Vec::new();
    for argument in call.arguments {
        match argument {
            Value::Range(range) => {
                let length = array.len();
                let Some((start, count)) = span(vm, range, length, Outside::Error)? else { continue };
                charge(vm, count)?;
                all.extend(
                    (start..start.saturating_add(count)).map(|it| array.get(it).unwrap_or(Value::Nil)),
                );
            }
            other => {
                let index = vm.expect_integer(other)?;
                all.push(item(call, index)?);
            }
        }
    }
    Ok(Value::array(all))
}

fn dig(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let index = vm.expect_integer(call.required(0))?;
    let found = item(call, index)?;
    dig_into(vm, found, &call.arguments[1..])
}

/// Continues `dig` in a value that was found.
pub(in crate::builtins) fn dig_into(vm: &mut Vm<'_>, found: Value, rest: &[Value]) -> Result {
    if rest.is_empty() || found.is_nil() {
        return Ok(found);
    }
    vm.check_is_known(&found)?;
    if !vm.responds_to(&found, "dig") {
        let class = vm.class_of(&found).display_name();
        return vm.type_error(format!("{class} does not have #dig method"));
    }
    vm.call(&found, "dig", rest)
}

fn first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(count) = call.argument(0) else { return item(call, 0) };
    let count = count_argument(vm, count, "negative array size")?;
    part(vm, call, 0, count)
}

fn last(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(count) = call.argument(0) else { return item(call, -1) };
    let count = count_argument(vm, count, "negative array size")?;
    let length = this_array(call)?.len();
    part(vm, call, length.saturating_sub(count), count)
}

fn take(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let count = count_argument(vm, call.required(0), "attempt to take negative size")?;
    part(vm, call, 0, count)
}

fn drop_first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let count = count_argument(vm, call.required(0), "attempt to drop negative size")?;
    let length = this_array(call)?.len();
    part(vm, call, count.min(length), length)
}

fn each(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let array = this_array(call)?;
    let mut index = 0;
    while let Some(item) = array.get(index) {
        index += 1;
        vm.yield_to(block, &[item])?;
    }
    Ok(call.this.clone())
}

fn each_index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let array = this_array(call)?;
    let mut index = 0;
    while index < array.len() {
        vm.yield_to(block, &[number(index)])?;
        index += 1;
    }
    Ok(call.this.clone())
}

fn reverse_each(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let array = this_array(call)?;
    let mut index = array.len();
    while index > 0 {
        index -= 1;
        if let Some(item) = array.get(index) {
            vm.yield_to(block, &[item])?;
        }
        index = index.min(array.len());
    }
    Ok(call.this.clone())
}

fn is_wanted(vm: &mut Vm<'_>, call: &Call<'_>, item: &Value) -> Result<bool> {
    vm.world.spend(1)?;
    match (call.argument(0), call.block) {
        (Some(wanted), _) => vm.equal(item, wanted),
        (None, Some(block)) => Ok(vm.yield_to(block, std::slice::from_ref(item))?.is_truthy()),
        (None, None) => Ok(false),
    }
}

fn index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.is_empty() && call.block.is_none() {
        return enumerator(vm, call);
    }
    let array = this_array(call)?;
    let mut index = 0;
    while let Some(item) = array.get(index) {
        if is_wanted(vm, call, &item)? {
            return Ok(number(index));
        }
        index += 1;
    }
    Ok(Value::Nil)
}

fn rindex(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.is_empty() && call.block.is_none() {
        return enumerator(vm, call);
    }
    let array = this_array(call)?;
    let mut index = array.len();
    while index > 0 {
        index -= 1;
        if let Some(item) = array.get(index)
            && is_wanted(vm, call, &item)?
        {
            return Ok(number(index));
        }
        index = index.min(array.len());
    }
    Ok(Value::Nil)
}

fn associated(vm: &mut Vm<'_>, call: &Call<'_>, place: usize) -> Result {
    for item in this_array(call)?.snapshot() {
        vm.world.spend(1)?;
        let pair = match (&item, place) {
            (Value::Array(it), _) => Some(Rc::clone(it)),
            (_, 0) => try_array(vm, &item)?,
            _ => None,
        };
        let Some(pair) = pair else { continue };
        if let Some(found) = pair.get(place)
            && vm.equal(&found, call.required(0))?
        {
            return Ok(Value::Array(pair));
        }
    }
    Ok(Value::Nil)
}

fn cycle(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    let mut turns = match call.argument(0) {
        None | Some(Value::Nil) => i64::MAX,
        Some(count) => vm.expect_integer(count)?,
    };
    let array = this_array(call)?;
    while turns > 0 && !array.is_empty() {
        turns -= 1;
        let mut index = 0;
        while let Some(item) = array.get(index) {
            index += 1;
            vm.yield_to(block, &[item])?;
        }
    }
    Ok(Value::Nil)
}

fn minmax(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.block.is_some() {
        return crate::builtins::enumerable::minmax(vm, call);
    }
    let (least, greatest) = (vm.call(call.this, "min", &[])?, vm.call(call.this, "max", &[])?);
    Ok(Value::array(vec![least, greatest]))
}

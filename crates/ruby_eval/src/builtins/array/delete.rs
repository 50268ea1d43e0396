//! Methods of `Array` that remove elements.

use super::access::part;
use crate::builtins::support::{
    Outside, block_or_enumerator, changed_array, charge, count_argument, position, span, this_array,
};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("pop", 0, 1, pop),
    between("shift", 0, 1, shift),
    exactly("delete", 1, delete),
    exactly("delete_at", 1, delete_at),
    exactly("delete_if", 0, |vm, call| filter(vm, call, false, true)),
    exactly("reject!", 0, |vm, call| filter(vm, call, false, false)),
    exactly("keep_if", 0, |vm, call| filter(vm, call, true, true)),
    exactly("select!", 0, |vm, call| filter(vm, call, true, false)),
    exactly("filter!", 0, |vm, call| filter(vm, call, true, false)),
    between("slice!", 1, 2, slice),
    exactly("clear", 0, |vm, call| {
        changed_array(vm, call)?.change(Vec::clear);
        Ok(call.this.clone())
    }),
    exactly("compact!", 0, |vm, call| {
        let array = changed_array(vm, call)?;
        let before = array.len();
        if !array.items().iter().any(Value::is_nil) {
            return Ok(Value::Nil);
        }
        array.change(|items| items.retain(|it| !it.is_nil()));
        Ok(if array.len() == before { Value::Nil } else { call.this.clone() })
    }),
];

fn pop(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let Some(count) = call.argument(0) else {
        return Ok(if array.is_empty() { Value::Nil } else { array.change(Vec::pop).unwrap_or(Value::Nil) });
    };
    let count = count_argument(vm, count, "negative array size")?.min(array.len());
    charge(vm, count)?;
    Ok(Value::array(array.change(|items| items.split_off(items.len() - count))))
}

fn shift(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    vm.world.spend(array.len() / 64)?;
    let Some(count) = call.argument(0) else {
        return Ok(if array.is_empty() { Value::Nil } else { array.change(|items| items.remove(0)) });
    };
    let count = count_argument(vm, count, "negative array size")?.min(array.len());
    charge(vm, count)?;
    Ok(Value::array(array.change(|items| items.drain(..count).collect())))
}

fn delete(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let wanted = call.required(0);
    let array = this_array(call)?;
    let mut found = None;
    let mut kept = Vec::new();
    for item in array.snapshot() {
        vm.world.spend(1)?;
        match vm.equal(&item, wanted)? {
            true => found = Some(item),
            false => kept.push(item),
        }
    }
    match (found, call.block) {
        (Some(found), _) => {
            vm.ensure_not_frozen(call.this)?;
            array.change(|items| *items = kept);
            Ok(found)
        }
        (None, Some(block)) => vm.yield_to(block, std::slice::from_ref(wanted)),
        (None, None) => Ok(Value::Nil),
    }
}

fn delete_at(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let index = vm.expect_integer(call.required(0))?;
    match position(index, array.len()) {
        Some(place) if place < array.len() => {
            vm.ensure_not_frozen(call.this)?;
            Ok(array.change(|items| items.remove(place)))
        }
        _ => Ok(Value::Nil),
    }
}

/// Keeps the elements for which the block returns `wanted`. If the block raises or jumps out, the elements it has seen
/// are already filtered.
fn filter(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool, gives_self: bool) -> Result {
    let block = block_or_enumerator!(vm, call);
    let array = changed_array(vm, call)?;
    let before = array.len();
    let (mut read, mut write) = (0, 0);
    let mut outcome = Ok(());
    while let Some(item) = array.get(read) {
        match vm.yield_to(block, std::slice::from_ref(&item)) {
            Ok(answer) if answer.is_truthy() == wanted => {
                if read != write && write < array.len() {
                    array.change(|items| items[write] = item);
                }
                write += 1;
            }
            Ok(_) => {}
            Err(stop) => {
                outcome = Err(stop);
                break;
            }
        }
        read += 1;
    }
    if write < read && write < array.len() {
        array.change(|items| {
            let end = read.min(items.len());
            items.drain(write..end);
        });
    }
    outcome?;
    Ok(if gives_self || array.len() != before { call.this.clone() } else { Value::Nil })
}

fn slice(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = changed_array(vm, call)?;
    let length = array.len();
    let (start, count) = match call.arguments {
        [Value::Range(range)] => match span(vm, range, length, Outside::Nothing)? {
            Some(it) => it,
            None => return Ok(Value::Nil),
        },
        [_] => return delete_at(vm, call),
        [start, count, ..] => {
            let (start, count) = (vm.expect_integer(start)?, vm.expect_integer(count)?);
            match (position(start, length), usize::try_from(count)) {
                (Some(start), Ok(count)) if start <= length => (start, count),
                _ => return Ok(Value::Nil),
            }
        }
        [] => return Ok(Value::Nil),
    };
    let removed = part(vm, call, start, count)?;
    let end = start.saturating_add(count).min(length);
    if start < end {
        array.change(|items| drop(items.drain(start..end)));
    }
    Ok(removed)
}

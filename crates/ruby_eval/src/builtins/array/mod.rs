//! `Array`

mod access;
mod arrange;
mod bsearch;
mod change;
mod combine;
mod delete;
mod operators;
mod reorder;
mod text;

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(in crate::builtins) use access::dig_into;
pub(in crate::builtins) use bsearch::{Search, found_by};

use super::support::{array_argument, charge, count_argument, try_array};

/// `Array`
pub(super) static ARRAY: NativeClass = NativeClass {
    name: "Array",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[
        access::METHODS,
        arrange::METHODS,
        bsearch::METHODS,
        change::METHODS,
        combine::METHODS,
        delete::METHODS,
        operators::METHODS,
        reorder::METHODS,
        text::METHODS,
    ],
    singleton_methods: &[CLASS_METHODS],
    ..NativeClass::EMPTY
};

const CLASS_METHODS: &[NativeMethod] = &[
    between("new", 0, 2, new),
    at_least("[]", 0, |vm, call| {
        only_array_itself(vm, call)?;
        charge(vm, call.arguments.len())?;
        Ok(Value::array(call.arguments.to_vec()))
    }),
    exactly("try_convert", 1, |vm, call| {
        Ok(try_array(vm, call.required(0))?.map_or(Value::Nil, Value::Array))
    }),
];

/// Rejects subclasses of `Array`, whose objects would not be plain arrays.
fn only_array_itself(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<()> {
    match call.this {
        Value::Class(class) if std::rc::Rc::ptr_eq(class, vm.world.class("Array")) => Ok(()),
        _ => unsupported("subclasses of Array"),
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    only_array_itself(vm, call)?;
    let Some(first) = call.argument(0) else { return Ok(Value::array(Vec::new())) };
    if call.arguments.len() == 1
        && let Some(array) = match first {
            Value::Integer(_) => None,
            other => try_array(vm, other)?,
        }
    {
        charge(vm, array.len())?;
        return Ok(Value::array(array.snapshot()));
    }
    let size = count_argument(vm, first, "negative array size")?;
    if size > (i64::MAX as usize) / 8 {
        return vm.argument_error("array size too big");
    }
    let Some(block) = call.block else {
        charge(vm, size)?;
        return Ok(Value::array(vec![call.argument(1).cloned().unwrap_or(Value::Nil); size]));
    };
    let mut items = Vec::new();
    for index in 0..size {
        vm.world.spend(1)?;
        let item = vm.yield_to(block, &[Value::Integer(i64::try_from(index).unwrap_or(i64::MAX))])?;
        super::support::push(vm, &mut items, item)?;
    }
    Ok(Value::array(items))
}

/// Replaces the elements of an array from a position on, like `array[start, count] = items`. The array is padded with
/// `nil`s.
pub(super) fn splice(
    vm: &mut Vm<'_>,
    array: &Rc<crate::value::ArrayObject>,
    start: usize,
    count: usize,
    items: Vec<Value>,
) -> Result<()> {
    let length = array.len();
    charge(vm, items.len().saturating_add(start.saturating_sub(length)))?;
    vm.world.spend(length.saturating_sub(start) / 16)?;
    array.change(|all| {
        if start >= all.len() {
            all.resize(start, Value::Nil);
            all.extend(items);
        } else {
            let end = start.saturating_add(count).min(all.len());
            all.splice(start..end, items);
        }
    });
    Ok(())
}

/// The position that an index denotes, for changes; negative indexes count from the end.
pub(super) fn changed_position(vm: &mut Vm<'_>, index: i64, length: usize) -> Result<usize> {
    match super::support::position(index, length) {
        Some(position) => Ok(position),
        None => {
            let least = lowest(length);
            vm.raise(ErrorClass::Index, format!("index {index} too small for array; minimum: {least}"))
        }
    }
}

/// The least index of an array of this length.
pub(super) fn lowest(length: usize) -> i64 {
    i64::try_from(length).map_or(i64::MIN, |it| -it)
}

/// Several arguments that must all be arrays.
fn array_arguments(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Vec<Vec<Value>>> {
    let mut arrays = Vec::new();
    for argument in call.arguments {
        let array = array_argument(vm, argument)?;
        charge(vm, array.len())?;
        arrays.push(array.snapshot());
    }
    Ok(arrays)
}

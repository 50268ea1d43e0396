//! Methods of `Array` that rearrange its elements: flat, transposed, reversed, rotated, as a hash.

use std::rc::Rc;

use crate::builtins::support::{
    array_argument, changed_array, charge, ensure_key, push, this_array, try_array,
};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::value::{ArrayObject, HashObject};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("flatten", 0, 1, |vm, call| {
        let (items, _) = flat(vm, call)?;
        Ok(Value::array(items))
    }),
    between("flatten!", 0, 1, |vm, call| {
        let array = changed_array(vm, call)?;
        let (items, changed) = flat(vm, call)?;
        if !changed {
            return Ok(Value::Nil);
        }
        array.change(|it| *it = items);
        Ok(call.this.clone())
    }),
    exactly("transpose", 0, transpose),
    exactly("reverse", 0, |vm, call| {
        let array = this_array(call)?;
        charge(vm, array.len())?;
        Ok(Value::array(array.items().iter().rev().cloned().collect()))
    }),
    exactly("reverse!", 0, |vm, call| {
        let array = changed_array(vm, call)?;
        vm.world.spend(array.len() / 8)?;
        array.change(|items| items.reverse());
        Ok(call.this.clone())
    }),
    between("rotate", 0, 1, |vm, call| {
        let array = this_array(call)?;
        let mut items = array.snapshot();
        charge(vm, items.len())?;
        let places = rotation(vm, call, items.len())?;
        items.rotate_left(places);
        Ok(Value::array(items))
    }),
    between("rotate!", 0, 1, |vm, call| {
        let array = changed_array(vm, call)?;
        vm.world.spend(array.len() / 8)?;
        let places = rotation(vm, call, array.len())?;
        array.change(|items| items.rotate_left(places));
        Ok(call.this.clone())
    }),
    exactly("compact", 0, |vm, call| {
        let array = this_array(call)?;
        charge(vm, array.len())?;
        Ok(Value::array(array.items().iter().filter(|it| !it.is_nil()).cloned().collect()))
    }),
    exactly("to_h", 0, to_h),
];

/// The number of positions by which `rotate` moves the elements to the left.
fn rotation(vm: &mut Vm<'_>, call: &Call<'_>, length: usize) -> Result<usize> {
    let places = match call.argument(0) {
        None => 1,
        Some(it) => vm.expect_integer(it)?,
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX).max(1);
    Ok(usize::try_from(places.rem_euclid(length)).unwrap_or(0))
}

/// The elements with nested arrays flattened; and whether there were any nested arrays.
fn flat(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<(Vec<Value>, bool)> {
    let array = this_array(call)?;
    let depth = match call.argument(0) {
        None | Some(Value::Nil) => None,
        Some(it) => usize::try_from(vm.expect_integer(it)?).ok(),
    };
    let mut items = Vec::new();
    if depth == Some(0) {
        charge(vm, array.len())?;
        return Ok((array.snapshot(), false));
    }
    let mut changed = false;
    // The arrays that are being flattened, with the next index in each.
    let mut open: Vec<(Rc<ArrayObject>, usize)> = vec![(array, 0)];
    while let Some((array, index)) = open.last_mut() {
        let Some(item) = array.get(*index) else {
            open.pop();
            continue;
        };
        *index += 1;
        vm.world.spend(1)?;
        let nested = match depth.is_some_and(|it| open.len() > it) {
            true => None,
            false => try_array(vm, &item)?,
        };
        match nested {
            Some(nested) => {
                changed = true;
                if depth.is_none() && open.iter().any(|(it, _)| Rc::ptr_eq(it, &nested)) {
                    return vm.raise(ErrorClass::Argument, "tried to flatten recursive array");
                }
                vm.world.spend(open.len())?;
                vm.world.allocate(16)?;
                open.push((nested, 0));
            }
            None => push(vm, &mut items, item)?,
        }
    }
    Ok((items, changed))
}

fn transpose(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let mut columns: Vec<Vec<Value>> = Vec::new();
    for (index, row) in array.snapshot().iter().enumerate() {
        let row = array_argument(vm, row)?;
        charge(vm, row.len())?;
        if index == 0 {
            columns.resize(row.len(), Vec::new());
        }
        if row.len() != columns.len() {
            let (given, wanted) = (row.len(), columns.len());
            return vm.raise(ErrorClass::Index, format!("element size differs ({given} should be {wanted})"));
        }
        for (column, item) in columns.iter_mut().zip(row.snapshot()) {
            column.push(item);
        }
    }
    Ok(Value::array(columns.into_iter().map(Value::array).collect()))
}

fn to_h(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let hash = Rc::new(HashObject::default());
    let mut index = 0;
    while let Some(item) = array.get(index) {
        vm.world.allocate(64)?;
        let made = match call.block {
            Some(block) => vm.yield_spread(block, std::slice::from_ref(&item))?,
            None => item,
        };
        let Some(pair) = try_array(vm, &made)? else {
            let class = vm.class_of(&made).display_name();
            return vm.type_error(format!("wrong element type {class} at {index} (expected array)"));
        };
        let pair = pair.snapshot();
        let [key, value] = pair.as_slice() else {
            let count = pair.len();
            return vm.argument_error(format!("wrong array length at {index} (expected 2, was {count})"));
        };
        ensure_key(vm, key)?;
        hash.insert(key.clone(), value.clone());
        index += 1;
    }
    Ok(Value::Hash(hash))
}

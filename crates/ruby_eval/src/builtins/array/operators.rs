//! Operators of `Array`: comparison, joining, and arrays as sets.

use std::cmp::Ordering;
use std::rc::Rc;

use super::array_arguments;
use crate::builtins::support::{
    array_argument, changed_array, charge, count_argument, ensure_key, this_array, try_array,
};
use crate::native::{Call, NativeMethod, at_least, exactly};
use crate::stop::Result;
use crate::value::{HashObject, Key};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("+", 1, plus),
    exactly("*", 1, times),
    exactly("-", 1, difference),
    at_least("difference", 0, difference),
    exactly("&", 1, intersection),
    at_least("intersection", 0, intersection),
    exactly("|", 1, union),
    at_least("union", 0, union),
    exactly("intersect?", 1, intersects),
    exactly("==", 1, equals),
    exactly("eql?", 1, eql),
    exactly("<=>", 1, compare),
    exactly("uniq", 0, |vm, call| Ok(Value::array(unique(vm, call)?))),
    exactly("uniq!", 0, |vm, call| {
        let array = changed_array(vm, call)?;
        let items = unique(vm, call)?;
        if items.len() == array.len() {
            return Ok(Value::Nil);
        }
        array.change(|it| *it = items);
        Ok(call.this.clone())
    }),
];

fn plus(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (array, other) = (this_array(call)?, array_argument(vm, call.required(0))?);
    charge(vm, array.len() + other.len())?;
    Ok(Value::array([array.snapshot(), other.snapshot()].concat()))
}

fn times(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let argument = call.required(0);
    if matches!(argument, Value::String(_)) || vm.responds_to(argument, "to_str") {
        return super::text::joined(vm, call.this, Some(argument));
    }
    let count = count_argument(vm, argument, "negative argument")?;
    if array.len().checked_mul(count).is_none_or(|it| it > (i64::MAX as usize) / 8) {
        return vm.argument_error("argument too big");
    }
    charge(vm, array.len() * count)?;
    let items = array.snapshot();
    Ok(Value::array(std::iter::repeat_n(&items, count).flatten().cloned().collect()))
}

/// A set of the elements of an array.
fn set_of(vm: &mut Vm<'_>, items: &[Value]) -> Result<Rc<HashObject>> {
    vm.world.spend(items.len())?;
    vm.world.allocate(items.len().saturating_mul(48))?;
    let set = Rc::new(HashObject::default());
    for item in items {
        ensure_key(vm, item)?;
        if set.get(item).is_none() {
            set.change(|entries| drop(entries.insert(Key::new(item), item.clone())));
        }
    }
    Ok(set)
}

fn difference(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let others = array_arguments(vm, call)?;
    let others = set_of(vm, &others.concat())?;
    let mut items = this_array(call)?.snapshot();
    for item in &items {
        ensure_key(vm, item)?;
    }
    charge(vm, items.len())?;
    items.retain(|it| others.get(it).is_none());
    Ok(Value::array(items))
}

fn intersection(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let others = array_arguments(vm, call)?;
    if others.is_empty() {
        let array = this_array(call)?;
        charge(vm, array.len())?;
        return Ok(Value::array(array.snapshot()));
    }
    let mut items = set_of(vm, &this_array(call)?.snapshot())?.values();
    for other in others {
        let other = set_of(vm, &other)?;
        items.retain(|it| other.get(it).is_some());
    }
    Ok(Value::array(items))
}

fn union(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let others = array_arguments(vm, call)?;
    let all = [this_array(call)?.snapshot(), others.concat()].concat();
    Ok(Value::array(set_of(vm, &all)?.values()))
}

fn intersects(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = array_argument(vm, call.required(0))?.snapshot();
    let items = set_of(vm, &this_array(call)?.snapshot())?;
    for item in &other {
        ensure_key(vm, item)?;
        if items.get(item).is_some() {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn unique(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Vec<Value>> {
    let items = this_array(call)?.snapshot();
    let Some(block) = call.block else { return Ok(set_of(vm, &items)?.values()) };
    let seen = Rc::new(HashObject::default());
    for item in items {
        let key = vm.yield_to(block, std::slice::from_ref(&item))?;
        ensure_key(vm, &key)?;
        vm.world.allocate(48)?;
        if seen.get(&key).is_none() {
            seen.insert(key, item);
        }
    }
    Ok(seen.values())
}

fn equals(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    if let Value::Object(_) = other
        && vm.responds_to(other, "to_ary")
    {
        return Ok(Value::Bool(vm.call(other, "==", std::slice::from_ref(call.this))?.is_truthy()));
    }
    Ok(Value::Bool(vm.equal(call.this, other)?))
}

fn eql(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    ensure_key(vm, call.this)?;
    ensure_key(vm, call.required(0))?;
    Ok(Value::Bool(Key::new(call.this) == Key::new(call.required(0))))
}

fn compare(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (array, Some(other)) = (this_array(call)?, try_array(vm, call.required(0))?) else {
        return Ok(Value::Nil);
    };
    if Rc::ptr_eq(&array, &other) {
        return Ok(Value::Integer(0));
    }
    let order = vm.guarded("<=>", call.this, |vm| {
        let mut index = 0;
        while let (Some(a), Some(b)) = (array.get(index), other.get(index)) {
            vm.world.spend(1)?;
            index += 1;
            match vm.call(&a, "<=>", &[b])? {
                Value::Integer(0) => {}
                answer => return Ok(answer),
            }
        }
        Ok(Value::Integer(match array.len().cmp(&other.len()) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }))
    })?;
    Ok(order.unwrap_or(Value::Nil))
}

//! Methods of `Enumerable` that make other collections of the elements.

use std::rc::Rc;

use super::{Flow, elements, fold, packed};
use crate::builtins::support::{block_or_enumerator, ensure_key, enumerator, push, try_array};
use crate::builtins::{hash, set};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{HashObject, Proc};
use crate::vm::ErrorClass;
use crate::{Symbol, Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("map", 0, map),
    exactly("collect", 0, map),
    exactly("flat_map", 0, flat_map),
    exactly("collect_concat", 0, flat_map),
    exactly("select", 0, |vm, call| select(vm, call, true)),
    exactly("filter", 0, |vm, call| select(vm, call, true)),
    exactly("find_all", 0, |vm, call| select(vm, call, true)),
    exactly("reject", 0, |vm, call| select(vm, call, false)),
    exactly("filter_map", 0, filter_map),
    exactly("partition", 0, partition),
    exactly("group_by", 0, group_by),
    between("tally", 0, 1, tally),
    exactly("uniq", 0, uniq),
    exactly("compact", 0, compact),
    at_least("zip", 0, zip),
    at_least("each_with_index", 0, each_with_index),
    exactly("each_with_object", 1, each_with_object),
    at_least("each_entry", 0, each_entry),
    at_least("reverse_each", 0, reverse_each),
    between("inject", 0, 2, inject),
    between("reduce", 0, 2, inject),
    at_least("to_h", 0, to_h),
    at_least("to_set", 0, to_set),
    between("cycle", 0, 1, cycle),
];

/// Rejects arguments that a method would pass to `each`.
pub(super) fn no_arguments_for_each(call: &Call<'_>) -> Result<()> {
    match call.arguments {
        [] => Ok(()),
        _ => unsupported(format!("`{}` with arguments for `each`", call.name)),
    }
}

fn map(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let all = fold(vm, call.this, Vec::new(), move |vm, all, values| {
        let value = vm.yield_spread(&block, values)?;
        push(vm, all, value)?;
        Ok(Flow::More)
    })?;
    Ok(Value::array(all))
}

fn flat_map(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let all = fold(vm, call.this, Vec::new(), move |vm, all, values| {
        let value = vm.yield_to(&block, values)?;
        match try_array(vm, &value)? {
            Some(several) => several.snapshot().into_iter().try_for_each(|it| push(vm, all, it))?,
            None => push(vm, all, value)?,
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(all))
}

fn select(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let all = fold(vm, call.this, Vec::new(), move |vm, all, values| {
        let value = packed(values);
        if vm.yield_to(&block, std::slice::from_ref(&value))?.is_truthy() == wanted {
            push(vm, all, value)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(all))
}

fn filter_map(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let all = fold(vm, call.this, Vec::new(), move |vm, all, values| {
        let value = vm.yield_to(&block, values)?;
        if value.is_truthy() {
            push(vm, all, value)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(all))
}

fn partition(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let both = fold(vm, call.this, (Vec::new(), Vec::new()), move |vm, (yes, no), values| {
        let value = packed(values);
        let side = match vm.yield_to(&block, std::slice::from_ref(&value))?.is_truthy() {
            true => yes,
            false => no,
        };
        push(vm, side, value)?;
        Ok(Flow::More)
    })?;
    Ok(Value::array(vec![Value::array(both.0), Value::array(both.1)]))
}

fn group_by(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let groups = fold(vm, call.this, Rc::new(HashObject::default()), move |vm, groups, values| {
        let value = packed(values);
        let key = vm.yield_to(&block, std::slice::from_ref(&value))?;
        ensure_key(vm, &key)?;
        vm.world.allocate(64)?;
        match groups.get(&key) {
            Some(Value::Array(group)) => group.change(|items| items.push(value)),
            _ => groups.insert(key, Value::array(vec![value])),
        }
        Ok(Flow::More)
    })?;
    Ok(Value::Hash(groups))
}

fn tally(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let counts = match call.argument(0) {
        None => Rc::new(HashObject::default()),
        Some(argument) => {
            let hash = crate::builtins::support::hash_argument(vm, argument)?;
            vm.ensure_not_frozen(&Value::Hash(Rc::clone(&hash)))?;
            hash
        }
    };
    let counts = fold(vm, call.this, counts, |vm, counts, values| {
        let value = packed(values);
        ensure_key(vm, &value)?;
        vm.world.allocate(64)?;
        let count = match counts.get(&value) {
            None => Value::Integer(1),
            Some(count @ (Value::Integer(_) | Value::BigInteger(_))) => {
                vm.call(&count, "+", &[Value::Integer(1)])?
            }
            Some(other) => {
                let class = vm.class_of(&other).display_name();
                return vm.type_error(format!("wrong argument type {class} (expected Integer)"));
            }
        };
        hash::store(vm, counts, value, count)?;
        Ok(Flow::More)
    })?;
    Ok(Value::Hash(counts))
}

fn uniq(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = call.block.cloned();
    let seen = fold(vm, call.this, Rc::new(HashObject::default()), move |vm, seen, values| {
        let key = match &block {
            Some(block) => vm.yield_to(block, values)?,
            None => packed(values),
        };
        ensure_key(vm, &key)?;
        vm.world.allocate(64)?;
        if seen.get(&key).is_none() {
            seen.insert(key, packed(values));
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(seen.values()))
}

fn compact(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let all = fold(vm, call.this, Vec::new(), |vm, all, values| {
        let value = packed(values);
        if !value.is_nil() {
            push(vm, all, value)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(all))
}

fn zip(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut others = Vec::new();
    let is_empty_array = matches!(call.this, Value::Array(array) if array.is_empty());
    for argument in call.arguments {
        others.push(match try_array(vm, argument)? {
            Some(array) => array.snapshot(),
            None if is_empty_array => Vec::new(),
            None if vm.responds_to(argument, "each") => match argument {
                Value::Range(_) | Value::Hash(_) => bounded(vm, call.this, argument)?,
                _ => return unsupported("`zip` with an object that is not an array"),
            },
            None => {
                let class = vm.class_of(argument).display_name();
                return vm.type_error(format!("wrong argument type {class} (must respond to :each)"));
            }
        });
    }
    let block = call.block.cloned();
    let gives_nil = block.is_some();
    let (_, rows) = fold(vm, call.this, (0, Vec::new()), move |vm, (index, rows), values| {
        vm.world.allocate(16 * others.len() + 64)?;
        let mut row = vec![packed(values)];
        row.extend(others.iter().map(|it| it.get(*index).cloned().unwrap_or(Value::Nil)));
        *index += 1;
        match &block {
            Some(block) => drop(vm.yield_to(block, &[Value::array(row)])?),
            None => push(vm, rows, Value::array(row))?,
        }
        Ok(Flow::More)
    })?;
    Ok(if gives_nil { Value::Nil } else { Value::array(rows) })
}

/// As many elements of a range or hash as the receiver of `zip` has, as ranges may be endless.
fn bounded(vm: &mut Vm<'_>, this: &Value, other: &Value) -> Result<Vec<Value>> {
    let count = elements(vm, this)?.len();
    if count == 0 {
        return Ok(Vec::new());
    }
    fold(vm, other, Vec::new(), move |vm, all, values| {
        push(vm, all, packed(values))?;
        Ok(if all.len() == count { Flow::Enough } else { Flow::More })
    })
}

fn each_with_index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    no_arguments_for_each(call)?;
    fold(vm, call.this, 0, move |vm, index, values| {
        vm.yield_to(&block, &[packed(values), Value::Integer(*index)])?;
        *index += 1;
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}

fn each_with_object(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let object = call.required(0).clone();
    fold(vm, call.this, (), move |vm, (), values| {
        vm.yield_to(&block, &[packed(values), object.clone()])?;
        Ok(Flow::More)
    })?;
    Ok(call.required(0).clone())
}

fn each_entry(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    no_arguments_for_each(call)?;
    fold(vm, call.this, (), move |vm, (), values| {
        vm.yield_to(&block, &[packed(values)])?;
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}

fn reverse_each(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    no_arguments_for_each(call)?;
    for value in elements(vm, call.this)?.into_iter().rev() {
        vm.yield_to(block, &[value])?;
    }
    Ok(call.this.clone())
}

fn inject(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (start, operator) = match (call.arguments, call.block) {
        ([start, operator], _) => (Some(start.clone()), Some(operator)),
        ([operator], None) => (None, Some(operator)),
        ([start], Some(_)) => (Some(start.clone()), None),
        _ => (None, None),
    };
    let joiner = match (operator, call.block) {
        (Some(operator), _) => Joiner::Method(method_name(vm, operator)?),
        (None, Some(block)) => Joiner::Block(Rc::clone(block)),
        (None, None) => Joiner::Missing,
    };
    inject_with(vm, call.this, start, joiner)
}

/// The operation by which `inject` combines two values.
pub(in crate::builtins) enum Joiner {
    Method(Symbol),
    Block(Rc<Proc>),
    Missing,
}

/// Combines all elements from the left.
pub(in crate::builtins) fn inject_with(
    vm: &mut Vm<'_>,
    this: &Value,
    start: Option<Value>,
    joiner: Joiner,
) -> Result {
    let joined = fold(vm, this, start, move |vm, joined, values| {
        let value = packed(values);
        *joined = Some(match joined.take() {
            None => value,
            Some(left) => match &joiner {
                Joiner::Method(name) => vm.send(&left, *name, &[value], None, None)?,
                Joiner::Block(block) => vm.yield_to(block, &[left, value])?,
                Joiner::Missing => return vm.raise(ErrorClass::LocalJump, "no block given"),
            },
        });
        Ok(Flow::More)
    })?;
    Ok(joined.unwrap_or(Value::Nil))
}

/// The name of a method in an argument: a symbol or string.
pub(in crate::builtins) fn method_name(vm: &mut Vm<'_>, value: &Value) -> Result<Symbol> {
    match value {
        Value::Symbol(name) => Ok(*name),
        Value::String(text) => vm.world.intern(&text.lossy()),
        _ => {
            let value = vm.inspect(value)?;
            vm.type_error(format!("{value} is not a symbol nor a string"))
        }
    }
}

fn to_h(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    no_arguments_for_each(call)?;
    let block = call.block.cloned();
    let hash = fold(vm, call.this, Rc::new(HashObject::default()), move |vm, hash, values| {
        let value = match &block {
            Some(block) => vm.yield_to(block, values)?,
            None => packed(values),
        };
        let (key, value) = to_pair(vm, &value)?;
        vm.world.allocate(64)?;
        hash.insert(key, value);
        Ok(Flow::More)
    })?;
    Ok(Value::Hash(hash))
}

/// An element of a collection that becomes an entry of a hash.
pub(in crate::builtins) fn to_pair(vm: &mut Vm<'_>, value: &Value) -> Result<(Value, Value)> {
    let Some(pair) = try_array(vm, value)? else {
        let class = vm.class_of(value).display_name();
        return vm.type_error(format!("wrong element type {class} (expected array)"));
    };
    match pair.snapshot().as_slice() {
        [key, value] => {
            ensure_key(vm, key)?;
            Ok((key.clone(), value.clone()))
        }
        other => {
            let count = other.len();
            vm.argument_error(format!("element has wrong array length (expected 2, was {count})"))
        }
    }
}

fn to_set(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if !call.arguments.is_empty() {
        return unsupported("`to_set` with a class");
    }
    set::from(vm, call.this, call.block)
}

fn cycle(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else { return enumerator(vm, call) };
    let mut turns = match call.argument(0) {
        None | Some(Value::Nil) => i64::MAX,
        Some(count) => vm.expect_integer(count)?,
    };
    if turns <= 0 {
        return Ok(Value::Nil);
    }
    let first = Rc::clone(block);
    let all = fold(vm, call.this, Vec::new(), move |vm, all, values| {
        let value = packed(values);
        push(vm, all, value.clone())?;
        vm.yield_to(&first, &[value])?;
        Ok(Flow::More)
    })?;
    while turns > 1 && !all.is_empty() {
        turns -= 1;
        for value in &all {
            vm.world.spend(1)?;
            vm.yield_to(block, std::slice::from_ref(value))?;
        }
    }
    Ok(Value::Nil)
}

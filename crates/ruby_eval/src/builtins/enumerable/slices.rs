//! Methods of `Enumerable` that cut a collection into slices.

use std::rc::Rc;

use super::{Flow, fold, packed};
use crate::builtins::support::{block_or_enumerator, enumerator_of};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::value::Proc;
use crate::{Symbol, Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("each_slice", 1, each_slice),
    exactly("each_cons", 1, each_cons),
    exactly("chunk_while", 0, |vm, call| delayed(vm, call, "__chunk_while", "chunk_while")),
    exactly("slice_when", 0, |vm, call| delayed(vm, call, "__slice_when", "slice_when")),
    between("slice_before", 0, 1, |vm, call| by_pattern(vm, call, "__slice_before", "slice_before")),
    between("slice_after", 0, 1, |vm, call| by_pattern(vm, call, "__slice_after", "slice_after")),
    exactly("chunk", 0, chunk),
    exactly("__chunk_while", 1, |vm, call| between_pairs(vm, call, false)),
    exactly("__slice_when", 1, |vm, call| between_pairs(vm, call, true)),
    exactly("__slice_before", 1, |vm, call| at_elements(vm, call, true)),
    exactly("__slice_after", 1, |vm, call| at_elements(vm, call, false)),
    exactly("__chunk", 1, chunks),
];

/// The size of slices.
fn slice_size(vm: &mut Vm<'_>, call: &Call<'_>, message: &str) -> Result<usize> {
    match usize::try_from(vm.expect_integer(call.required(0))?) {
        Ok(size) if size > 0 => Ok(size),
        _ => vm.argument_error(message),
    }
}

fn each_slice(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let size = slice_size(vm, call, "invalid slice size")?;
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let last = Rc::clone(&block);
    let rest = fold(vm, call.this, Vec::new(), move |vm, slice, values| {
        vm.world.allocate(16)?;
        slice.push(packed(values));
        if slice.len() == size {
            vm.yield_to(&block, &[Value::array(std::mem::take(slice))])?;
        }
        Ok(Flow::More)
    })?;
    if !rest.is_empty() {
        vm.yield_to(&last, &[Value::array(rest)])?;
    }
    Ok(call.this.clone())
}

fn each_cons(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let size = slice_size(vm, call, "invalid size")?;
    let block = Rc::clone(block_or_enumerator!(vm, call));
    fold(vm, call.this, Vec::new(), move |vm, window: &mut Vec<Value>, values| {
        if window.len() == size {
            window.remove(0);
        }
        window.push(packed(values));
        if window.len() == size {
            vm.world.spend(size / 8)?;
            vm.world.allocate(size.saturating_mul(16))?;
            vm.yield_to(&block, &[Value::array(window.clone())])?;
        }
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}

/// An enumerator whose slices are computed on demand, by the method called `name`.
fn delayed(vm: &mut Vm<'_>, call: &Call<'_>, name: &str, shown: &str) -> Result {
    match call.block {
        Some(block) => enumerator_of(vm, call.this, Symbol::new(name), &[Value::Proc(Rc::clone(block))]),
        None => vm.argument_error(match shown {
            "slice_before" | "slice_after" => "wrong number of arguments (given 0, expected 1)".to_owned(),
            _ => "tried to create Proc object without a block".to_owned(),
        }),
    }
}

fn by_pattern(vm: &mut Vm<'_>, call: &Call<'_>, name: &str, shown: &str) -> Result {
    match (call.argument(0), call.block) {
        (None, _) => delayed(vm, call, name, shown),
        (Some(_), Some(_)) => vm.argument_error(match shown {
            "slice_before" => "wrong number of arguments (given 1, expected 0)",
            _ => "both pattern and block are given",
        }),
        (Some(pattern), None) => {
            enumerator_of(vm, call.this, Symbol::new(name), std::slice::from_ref(pattern))
        }
    }
}

fn chunk(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = block_or_enumerator!(vm, call);
    enumerator_of(vm, call.this, Symbol::new("__chunk"), &[Value::Proc(Rc::clone(block))])
}

fn yield_slice(vm: &mut Vm<'_>, block: &Rc<Proc>, slice: &mut Vec<Value>) -> Result<()> {
    vm.yield_to(block, &[Value::array(std::mem::take(slice))])?;
    Ok(())
}

/// Splits between two neighbours for which the block returns `cuts`.
fn between_pairs(vm: &mut Vm<'_>, call: &Call<'_>, cuts: bool) -> Result {
    let Value::Proc(test) = call.required(0).clone() else { return Ok(Value::Nil) };
    let block = Rc::clone(call.needed_block()?);
    let last = Rc::clone(&block);
    let mut rest = fold(vm, call.this, Vec::new(), move |vm, slice: &mut Vec<Value>, values| {
        let value = packed(values);
        vm.world.allocate(16)?;
        if let Some(before) = slice.last().cloned()
            && vm.yield_to(&test, &[before, value.clone()])?.is_truthy() == cuts
        {
            yield_slice(vm, &block, slice)?;
        }
        slice.push(value);
        Ok(Flow::More)
    })?;
    if !rest.is_empty() {
        yield_slice(vm, &last, &mut rest)?;
    }
    Ok(Value::Nil)
}

/// Splits before or after the elements that match a pattern or block.
fn at_elements(vm: &mut Vm<'_>, call: &Call<'_>, before: bool) -> Result {
    let test = call.required(0).clone();
    let block = Rc::clone(call.needed_block()?);
    let last = Rc::clone(&block);
    let mut rest = fold(vm, call.this, Vec::new(), move |vm, slice: &mut Vec<Value>, values| {
        let value = packed(values);
        vm.world.allocate(16)?;
        let first = slice.is_empty();
        if before && !first && matches(vm, &test, &value)? {
            yield_slice(vm, &block, slice)?;
        } else if before && first {
            matches(vm, &test, &value)?;
        }
        slice.push(value.clone());
        if !before && matches(vm, &test, &value)? {
            yield_slice(vm, &block, slice)?;
        }
        Ok(Flow::More)
    })?;
    if !rest.is_empty() {
        yield_slice(vm, &last, &mut rest)?;
    }
    Ok(Value::Nil)
}

fn matches(vm: &mut Vm<'_>, test: &Value, value: &Value) -> Result<bool> {
    match test {
        Value::Proc(block) => Ok(vm.yield_to(block, std::slice::from_ref(value))?.is_truthy()),
        pattern => vm.case_equal(pattern, value),
    }
}

/// Joins neighbours for which the block returns the same value; `nil` and `:_separator` drop elements, `:_alone` keeps
/// them separate.
fn chunks(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Proc(test) = call.required(0).clone() else { return Ok(Value::Nil) };
    let block = Rc::clone(call.needed_block()?);
    let last = Rc::clone(&block);
    let start: (Value, Vec<Value>) = (Value::Nil, Vec::new());
    let mut rest = fold(vm, call.this, start, move |vm, (key, chunk), values| {
        let value = packed(values);
        vm.world.allocate(16)?;
        let answer = vm.yield_to(&test, std::slice::from_ref(&value))?;
        let special = match &answer {
            Value::Symbol(name) => name.name().to_string(),
            _ => String::new(),
        };
        let leaves_out = answer.is_nil() || special == "_separator";
        let alone = special == "_alone";
        if special.starts_with('_') && !leaves_out && !alone {
            return vm
                .raise(crate::vm::ErrorClass::Runtime, "symbols beginning with an underscore are reserved");
        }
        if !chunk.is_empty() && (leaves_out || alone || !vm.equal(key, &answer)?) {
            yield_chunk(vm, &block, key, chunk)?;
        }
        if leaves_out {
            return Ok(Flow::More);
        }
        *key = answer;
        chunk.push(value);
        if alone {
            yield_chunk(vm, &block, key, chunk)?;
        }
        Ok(Flow::More)
    })?;
    if !rest.1.is_empty() {
        yield_chunk(vm, &last, &rest.0, &mut rest.1)?;
    }
    Ok(Value::Nil)
}

fn yield_chunk(vm: &mut Vm<'_>, block: &Rc<Proc>, key: &Value, chunk: &mut Vec<Value>) -> Result<()> {
    let pair = Value::array(vec![key.clone(), Value::array(std::mem::take(chunk))]);
    vm.yield_to(block, &[pair])?;
    Ok(())
}

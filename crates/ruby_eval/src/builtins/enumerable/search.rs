//! Methods of `Enumerable` that search for elements.

use std::rc::Rc;

use super::{Flow, fold, packed};
use crate::builtins::support::{block_or_enumerator, count_argument, enumerator, push};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::Result;
use crate::value::Proc;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("all?", 0, 1, |vm, call| Ok(Value::Bool(!ends_at(vm, call, |truth| !truth)?))),
    between("any?", 0, 1, |vm, call| Ok(Value::Bool(ends_at(vm, call, |truth| truth)?))),
    between("none?", 0, 1, |vm, call| Ok(Value::Bool(!ends_at(vm, call, |truth| truth)?))),
    between("one?", 0, 1, one),
    at_least("count", 0, count),
    between("find", 0, 1, find),
    between("detect", 0, 1, find),
    between("find_index", 0, 1, find_index),
    exactly("include?", 1, include),
    exactly("member?", 1, include),
    between("first", 0, 1, first),
    exactly("take", 1, take),
    exactly("take_while", 0, take_while),
    exactly("drop", 1, drop_first),
    exactly("drop_while", 0, drop_while),
    exactly("grep", 1, |vm, call| grep(vm, call, true)),
    exactly("grep_v", 1, |vm, call| grep(vm, call, false)),
    at_least("to_a", 0, to_a),
    at_least("entries", 0, to_a),
];

/// The condition by which `all?` and similar methods test an element.
#[derive(Clone)]
enum Test {
    Pattern(Value),
    Block(Rc<Proc>),
    Truth,
}

impl Test {
    fn of(call: &Call<'_>) -> Test {
        match (call.argument(0), call.block) {
            (Some(pattern), _) => Test::Pattern(pattern.clone()),
            (None, Some(block)) => Test::Block(Rc::clone(block)),
            (None, None) => Test::Truth,
        }
    }

    fn holds(&self, vm: &mut Vm<'_>, values: &[Value]) -> Result<bool> {
        match self {
            Test::Pattern(pattern) => vm.case_equal(pattern, &packed(values)),
            Test::Block(block) => Ok(vm.yield_to(block, values)?.is_truthy()),
            Test::Truth => Ok(packed(values).is_truthy()),
        }
    }
}

/// Whether the iteration ends early, at an element whose truth ends it.
fn ends_at(vm: &mut Vm<'_>, call: &Call<'_>, ends: fn(bool) -> bool) -> Result<bool> {
    let test = Test::of(call);
    fold(vm, call.this, false, move |vm, ended, values| {
        *ended = ends(test.holds(vm, values)?);
        Ok(if *ended { Flow::Enough } else { Flow::More })
    })
}

fn one(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let test = Test::of(call);
    let found = fold(vm, call.this, 0, move |vm, found, values| {
        *found += usize::from(test.holds(vm, values)?);
        Ok(if *found > 1 { Flow::Enough } else { Flow::More })
    })?;
    Ok(Value::Bool(found == 1))
}

/// `count`
pub(in crate::builtins) fn count(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if let given @ 2.. = call.arguments.len() {
        let expected = if matches!(call.this, Value::Array(_)) { "0..1" } else { "1" };
        return vm.argument_error(format!("wrong number of arguments (given {given}, expected {expected})"));
    }
    let (wanted, block) = (call.argument(0).cloned(), call.block.cloned());
    let found = fold(vm, call.this, 0, move |vm, found, values| {
        *found += i64::from(match (&wanted, &block) {
            (Some(wanted), _) => vm.equal(&packed(values), wanted)?,
            (None, Some(block)) => vm.yield_to(block, values)?.is_truthy(),
            (None, None) => true,
        });
        Ok(Flow::More)
    })?;
    Ok(Value::Integer(found))
}

fn find(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let found = fold(vm, call.this, None, move |vm, found, values| {
        let value = packed(values);
        if !vm.yield_to(&block, std::slice::from_ref(&value))?.is_truthy() {
            return Ok(Flow::More);
        }
        *found = Some(value);
        Ok(Flow::Enough)
    })?;
    match (found, call.argument(0)) {
        (Some(found), _) => Ok(found),
        (None, Some(otherwise)) if !otherwise.is_nil() => vm.call(otherwise, "call", &[]),
        _ => Ok(Value::Nil),
    }
}

fn find_index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (wanted, block) = (call.argument(0).cloned(), call.block.cloned());
    if wanted.is_none() && block.is_none() {
        return enumerator(vm, call);
    }
    let (index, found) = fold(vm, call.this, (0, false), move |vm, (index, found), values| {
        *found = match (&wanted, &block) {
            (Some(wanted), _) => vm.equal(&packed(values), wanted)?,
            (None, Some(block)) => vm.yield_to(block, values)?.is_truthy(),
            (None, None) => false,
        };
        if *found {
            return Ok(Flow::Enough);
        }
        *index += 1;
        Ok(Flow::More)
    })?;
    Ok(if found { Value::Integer(index) } else { Value::Nil })
}

fn include(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let wanted = call.required(0).clone();
    let found = fold(vm, call.this, false, move |vm, found, values| {
        *found = vm.equal(&packed(values), &wanted)?;
        Ok(if *found { Flow::Enough } else { Flow::More })
    })?;
    Ok(Value::Bool(found))
}

fn first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(0).is_some() {
        return take(vm, call);
    }
    let first = fold(vm, call.this, Value::Nil, |_, first, values| {
        *first = packed(values);
        Ok(Flow::Enough)
    })?;
    Ok(first)
}

fn take(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let count = count_argument(vm, call.required(0), "attempt to take negative size")?;
    if count == 0 {
        return Ok(Value::array(Vec::new()));
    }
    let taken = fold(vm, call.this, Vec::new(), move |vm, taken, values| {
        push(vm, taken, packed(values))?;
        Ok(if taken.len() == count { Flow::Enough } else { Flow::More })
    })?;
    Ok(Value::array(taken))
}

fn take_while(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let taken = fold(vm, call.this, Vec::new(), move |vm, taken, values| {
        if !vm.yield_to(&block, values)?.is_truthy() {
            return Ok(Flow::Enough);
        }
        push(vm, taken, packed(values))?;
        Ok(Flow::More)
    })?;
    Ok(Value::array(taken))
}

fn drop_first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let count = count_argument(vm, call.required(0), "attempt to drop negative size")?;
    let (_, rest) = fold(vm, call.this, (0, Vec::new()), move |vm, (seen, rest), values| {
        *seen += 1;
        if *seen > count {
            push(vm, rest, packed(values))?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(rest))
}

fn drop_while(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let (_, rest) = fold(vm, call.this, (true, Vec::new()), move |vm, (dropping, rest), values| {
        let value = packed(values);
        if *dropping {
            *dropping = vm.yield_to(&block, std::slice::from_ref(&value))?.is_truthy();
        }
        if !*dropping {
            push(vm, rest, value)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(rest))
}

fn grep(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool) -> Result {
    let (pattern, block) = (call.required(0).clone(), call.block.cloned());
    let found = fold(vm, call.this, Vec::new(), move |vm, found, values| {
        let value = packed(values);
        if vm.case_equal(&pattern, &value)? == wanted {
            let kept = match &block {
                Some(block) => vm.yield_to(block, &[value])?,
                None => value,
            };
            push(vm, found, kept)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::array(found))
}

fn to_a(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    super::transform::no_arguments_for_each(call)?;
    let all = super::elements(vm, call.this)?;
    Ok(Value::array(all))
}

//! Iteration over everything that has `each`.

use std::cell::RefCell;
use std::rc::Rc;

use crate::builtins::support::{charge, push};
use crate::builtins::{range, set};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{HashObject, Proc};
use crate::{Symbol, Value, Vm};

/// Whether an iteration continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Continue with the next element.
    More,
    /// Stop.
    Enough,
}

/// The function that an iteration calls with the values of one turn. Usually there is one; `each` in Ruby may yield
/// several.
pub(crate) type Step<'a> = dyn FnMut(&mut Vm<'_>, &[Value]) -> Result<Flow> + 'a;

/// Iterates over the elements of a collection with a state. Collections may change during the iteration.
///
/// # Errors
/// Errors of the step, and of `each` in Ruby.
pub(crate) fn fold<S: 'static>(
    vm: &mut Vm<'_>,
    this: &Value,
    mut state: S,
    step: impl Fn(&mut Vm<'_>, &mut S, &[Value]) -> Result<Flow> + 'static,
) -> Result<S> {
    match each(vm, this, &mut |vm, values| step(vm, &mut state, values))? {
        true => Ok(state),
        false => through_each(vm, this, state, step),
    }
}

/// Iterates over the elements of a built-in collection; returns false for other objects.
fn each(vm: &mut Vm<'_>, this: &Value, step: &mut Step<'_>) -> Result<bool> {
    match this {
        Value::Array(array) => {
            let mut index = 0;
            while let Some(item) = array.get(index) {
                vm.world.spend(1)?;
                index += 1;
                if step(vm, &[item])? == Flow::Enough {
                    break;
                }
            }
        }
        Value::Hash(hash) => each_pair(vm, hash, &mut |vm, key, value| {
            vm.world.allocate(64)?;
            step(vm, &[Value::array(vec![key, value])])
        })?,
        Value::Range(range) => range::each(vm, range, step)?,
        Value::Object(object) if Rc::ptr_eq(&object.class(), vm.world.class("Set")) => {
            let elements = set::elements(this)?;
            each_pair(vm, &elements, &mut |vm, key, _| step(vm, &[key]))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Iterates over the entries of a hash. Entries may be removed meanwhile.
///
/// # Errors
/// Errors of the step.
pub(crate) fn each_pair(
    vm: &mut Vm<'_>,
    hash: &Rc<HashObject>,
    step: &mut dyn FnMut(&mut Vm<'_>, Value, Value) -> Result<Flow>,
) -> Result<()> {
    let _running = hash.iterate();
    let moves = hash.moves();
    for (index, key) in hash.keys().into_iter().enumerate() {
        vm.world.spend(1)?;
        let value = if hash.moves() == moves { hash.value_at(index) } else { hash.get(&key) };
        let Some(value) = value else { continue };
        if step(vm, key, value)? == Flow::Enough {
            break;
        }
    }
    Ok(())
}

/// Calls the object's own `each`.
fn through_each<S: 'static>(
    vm: &mut Vm<'_>,
    this: &Value,
    state: S,
    step: impl Fn(&mut Vm<'_>, &mut S, &[Value]) -> Result<Flow> + 'static,
) -> Result<S> {
    let end = vm.world.new_tag();
    let state = Rc::new(RefCell::new(Some(state)));
    let shared = Rc::clone(&state);
    let block = Proc::native(move |vm, values| {
        let Some(mut state) = shared.borrow_mut().take() else {
            return unsupported("an iteration that is continued within itself");
        };
        let flow = step(vm, &mut state, values);
        *shared.borrow_mut() = Some(state);
        match flow? {
            Flow::More => Ok(Value::Nil),
            Flow::Enough => Err(Box::new(Stop::Break { tag: end, value: Value::Nil })),
        }
    });
    match vm.send(this, Symbol::new("each"), &[], None, Some(&block)) {
        Ok(_) => {}
        Err(stop) if matches!(*stop, Stop::Break { tag, .. } if tag == end) => {}
        Err(stop) => return Err(stop),
    }
    let state = state.borrow_mut().take();
    match state {
        Some(state) => Ok(state),
        None => unsupported("an iteration that is continued within itself"),
    }
}

/// The values of one turn as one value: an array if there are several.
pub(crate) fn packed(values: &[Value]) -> Value {
    match values {
        [] => Value::Nil,
        [value] => value.clone(),
        several => Value::array(several.to_vec()),
    }
}

/// All elements.
///
/// # Errors
/// If `each` in Ruby raises an exception.
pub(crate) fn elements(vm: &mut Vm<'_>, this: &Value) -> Result<Vec<Value>> {
    if let Value::Array(array) = this {
        charge(vm, array.len())?;
        return Ok(array.snapshot());
    }
    fold(vm, this, Vec::new(), |vm, all, values| {
        push(vm, all, packed(values))?;
        Ok(Flow::More)
    })
}

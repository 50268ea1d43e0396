//! Set algebra.

use std::rc::Rc;

use super::change::{add_all, remove};
use super::{as_set, changed, contains, elements, is_subset, items_of, new, store};
use crate::builtins::support::{block_or_enumerator, charge};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::value::HashObject;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("|", 1, union),
    exactly("+", 1, union),
    exactly("union", 1, union),
    exactly("&", 1, intersection),
    exactly("intersection", 1, intersection),
    exactly("-", 1, difference),
    exactly("difference", 1, difference),
    exactly("^", 1, |vm, call| {
        let made = Rc::new(HashObject::default());
        if !call.required(0).is_nil() {
            let items = items_of(vm, call.required(0))?;
            add_all(vm, &made, items)?;
        }
        for item in elements(call.this)?.keys() {
            match contains(vm, &made, &item)? {
                true => remove(vm, &made, &item)?,
                false => store(vm, &made, item, Value::Bool(true))?,
            }
        }
        Ok(new(vm, made))
    }),
    exactly("subset?", 1, |vm, call| relation(vm, call, |it| it.is_some(), false)),
    exactly("<=", 1, |vm, call| relation(vm, call, |it| it.is_some(), false)),
    exactly("proper_subset?", 1, |vm, call| relation(vm, call, |it| it == Some(true), false)),
    exactly("<", 1, |vm, call| relation(vm, call, |it| it == Some(true), false)),
    exactly("superset?", 1, |vm, call| relation(vm, call, |it| it.is_some(), true)),
    exactly(">=", 1, |vm, call| relation(vm, call, |it| it.is_some(), true)),
    exactly("proper_superset?", 1, |vm, call| relation(vm, call, |it| it == Some(true), true)),
    exactly(">", 1, |vm, call| relation(vm, call, |it| it == Some(true), true)),
    exactly("<=>", 1, |vm, call| {
        let (set, Some(other)) = (elements(call.this)?, as_set(call.required(0))) else {
            return Ok(Value::Nil);
        };
        let (below, above) = (is_subset(vm, &set, &other)?, is_subset(vm, &other, &set)?);
        Ok(match (below, above) {
            (true, true) => Value::Integer(0),
            (true, false) => Value::Integer(-1),
            (false, true) => Value::Integer(1),
            (false, false) => Value::Nil,
        })
    }),
    exactly("disjoint?", 1, |vm, call| Ok(Value::Bool(!intersects(vm, call)?))),
    exactly("intersect?", 1, |vm, call| Ok(Value::Bool(intersects(vm, call)?))),
    exactly("classify", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        let classes = Rc::new(HashObject::default());
        for item in elements(call.this)?.keys() {
            let key = vm.yield_to(&block, std::slice::from_ref(&item))?;
            let class = match super::super::hash::stored(vm, &classes, &key)? {
                Some(class) => class,
                None => {
                    let class = new(vm, Rc::new(HashObject::default()));
                    store(vm, &classes, key, class.clone())?;
                    class
                }
            };
            store(vm, &elements(&class)?, item, Value::Bool(true))?;
        }
        Ok(Value::Hash(classes))
    }),
    exactly("flatten", 0, |vm, call| {
        let made = Rc::new(HashObject::default());
        flatten(vm, call.this, &made)?;
        Ok(new(vm, made))
    }),
    exactly("flatten!", 0, |vm, call| {
        let set = changed(vm, call)?;
        if !set.keys().iter().any(|it| as_set(it).is_some()) {
            return Ok(Value::Nil);
        }
        let made = Rc::new(HashObject::default());
        flatten(vm, call.this, &made)?;
        let entries = made.entries().clone();
        set.change(|it| *it = entries);
        Ok(call.this.clone())
    }),
];

fn union(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let items = items_of(vm, call.required(0))?;
    let set = elements(call.this)?;
    charge(vm, set.len() * 4)?;
    let made = Rc::new(HashObject::default());
    add_all(vm, &made, set.keys())?;
    add_all(vm, &made, items)?;
    Ok(new(vm, made))
}

fn intersection(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let set = elements(call.this)?;
    let made = Rc::new(HashObject::default());
    for item in items_of(vm, call.required(0))? {
        if contains(vm, &set, &item)? {
            store(vm, &made, item, Value::Bool(true))?;
        }
    }
    Ok(new(vm, made))
}

fn difference(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let items = items_of(vm, call.required(0))?;
    let others = Rc::new(HashObject::default());
    add_all(vm, &others, items)?;
    let made = Rc::new(HashObject::default());
    for item in elements(call.this)?.keys() {
        if !contains(vm, &others, &item)? {
            store(vm, &made, item, Value::Bool(true))?;
        }
    }
    Ok(new(vm, made))
}

/// Whether a set is a subset of another, or the reverse; `holds` receives whether it is a proper subset.
fn relation(vm: &mut Vm<'_>, call: &Call<'_>, holds: fn(Option<bool>) -> bool, reversed: bool) -> Result {
    let set = elements(call.this)?;
    let Some(other) = as_set(call.required(0)) else {
        return vm.argument_error("value must be a set");
    };
    let (inner, outer) = if reversed { (other, set) } else { (set, other) };
    let subset = is_subset(vm, &inner, &outer)?.then(|| inner.len() < outer.len());
    Ok(Value::Bool(holds(subset)))
}

fn intersects(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<bool> {
    let set = elements(call.this)?;
    if as_set(call.required(0)).is_none() && !matches!(call.required(0), Value::Array(_)) {
        return crate::stop::unsupported("Set#intersect? with an object that is not a set or array");
    }
    for item in items_of(vm, call.required(0))? {
        vm.world.spend(1)?;
        if contains(vm, &set, &item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds the elements of a set, and those of sets in it, to another.
fn flatten(vm: &mut Vm<'_>, set: &Value, into: &Rc<HashObject>) -> Result<()> {
    let flat = vm.guarded("flatten", set, |vm| {
        for item in elements(set)?.keys() {
            match as_set(&item) {
                Some(_) => flatten(vm, &item, into)?,
                None => store(vm, into, item, Value::Bool(true))?,
            }
        }
        Ok(())
    })?;
    match flat {
        Some(()) => Ok(()),
        None => vm.argument_error("tried to flatten recursive Set"),
    }
}

//! Methods of `Set` that change it.

use std::rc::Rc;

use super::{changed, contains, elements, ensure_not_frozen, items_of, store};
use crate::builtins::support::block_or_enumerator;
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::value::HashObject;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("add", 1, add),
    exactly("<<", 1, add),
    exactly("add?", 1, |vm, call| {
        if contains(vm, &*elements(call.this)?, call.required(0))? {
            return Ok(Value::Nil);
        }
        add(vm, call)
    }),
    exactly("delete", 1, delete),
    exactly("delete?", 1, |vm, call| {
        if !contains(vm, &*elements(call.this)?, call.required(0))? {
            return Ok(Value::Nil);
        }
        delete(vm, call)
    }),
    exactly("delete_if", 0, |vm, call| filter(vm, call, false, true)),
    exactly("reject!", 0, |vm, call| filter(vm, call, false, false)),
    exactly("keep_if", 0, |vm, call| filter(vm, call, true, true)),
    exactly("select!", 0, |vm, call| filter(vm, call, true, false)),
    exactly("filter!", 0, |vm, call| filter(vm, call, true, false)),
    exactly("clear", 0, |vm, call| {
        changed(vm, call)?.change(indexmap::IndexMap::clear);
        Ok(call.this.clone())
    }),
    exactly("replace", 1, |vm, call| {
        let items = items_of(vm, call.required(0))?;
        let set = changed(vm, call)?;
        set.change(indexmap::IndexMap::clear);
        add_all(vm, &set, items)?;
        Ok(call.this.clone())
    }),
    exactly("merge", 1, |vm, call| {
        let items = items_of(vm, call.required(0))?;
        if !items.is_empty() {
            let set = changed(vm, call)?;
            add_all(vm, &set, items)?;
        }
        Ok(call.this.clone())
    }),
    exactly("subtract", 1, |vm, call| {
        let items = items_of(vm, call.required(0))?;
        let set = changed(vm, call)?;
        for item in items {
            remove(vm, &set, &item)?;
        }
        Ok(call.this.clone())
    }),
    exactly("map!", 0, map_in_place),
    exactly("collect!", 0, map_in_place),
];

fn add(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let set = changed(vm, call)?;
    store(vm, &set, call.required(0).clone(), Value::Bool(true))?;
    Ok(call.this.clone())
}

/// Adds elements to a set.
pub(super) fn add_all(vm: &mut Vm<'_>, set: &Rc<HashObject>, items: Vec<Value>) -> Result<()> {
    items.into_iter().try_for_each(|item| store(vm, set, item, Value::Bool(true)))
}

/// Removes an element from a set.
pub(super) fn remove(vm: &mut Vm<'_>, set: &Rc<HashObject>, item: &Value) -> Result<()> {
    if contains(vm, set, item)? {
        vm.world.spend(1 + set.len() / 16)?;
        set.remove(item);
    }
    Ok(())
}

fn delete(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let set = changed(vm, call)?;
    remove(vm, &set, call.required(0))?;
    Ok(call.this.clone())
}

fn filter(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool, gives_self: bool) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let set = elements(call.this)?;
    let before = set.len();
    for item in set.keys() {
        if vm.yield_to(&block, std::slice::from_ref(&item))?.is_truthy() != wanted {
            ensure_not_frozen(vm, call, &set)?;
            remove(vm, &set, &item)?;
        }
    }
    Ok(if gives_self || set.len() != before { call.this.clone() } else { Value::Nil })
}

fn map_in_place(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let set = changed(vm, call)?;
    let made = Rc::new(HashObject::default());
    for item in set.keys() {
        let item = vm.yield_to(&block, &[item])?;
        store(vm, &made, item, Value::Bool(true))?;
    }
    let entries = made.entries().clone();
    set.change(|it| *it = entries);
    Ok(call.this.clone())
}

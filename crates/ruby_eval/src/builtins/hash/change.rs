//! Methods of `Hash` that change it.

use std::rc::Rc;

use super::{default, store, stored};
use crate::builtins::enumerable::{Flow, each_pair};
use crate::builtins::support::{
    block_or_enumerator, changed_hash, charge, enumerator, hash_argument, this_hash,
};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{HashObject, Proc};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("[]=", 2, assign),
    exactly("store", 2, assign),
    exactly("delete", 1, delete),
    exactly("delete_if", 0, |vm, call| filter(vm, call, false, true)),
    exactly("reject!", 0, |vm, call| filter(vm, call, false, false)),
    exactly("keep_if", 0, |vm, call| filter(vm, call, true, true)),
    exactly("select!", 0, |vm, call| filter(vm, call, true, false)),
    exactly("filter!", 0, |vm, call| filter(vm, call, true, false)),
    exactly("clear", 0, |vm, call| {
        changed_hash(vm, call)?.change(indexmap::IndexMap::clear);
        Ok(call.this.clone())
    }),
    exactly("replace", 1, replace),
    exactly("initialize_copy", 1, replace),
    exactly("shift", 0, shift),
    at_least("merge!", 0, update),
    at_least("update", 0, update),
    at_least("merge", 0, |vm, call| {
        let copy = super::copy_with_default(vm, &*this_hash(call)?)?;
        merge_into(vm, &copy, call)?;
        Ok(Value::Hash(copy))
    }),
    exactly("compact!", 0, |vm, call| {
        let hash = changed_hash(vm, call)?;
        let before = hash.len();
        vm.world.spend(before)?;
        hash.change(|entries| entries.retain(|_, value| !value.is_nil()));
        Ok(if hash.len() == before { Value::Nil } else { call.this.clone() })
    }),
    exactly("transform_values!", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        let hash = changed_hash(vm, call)?;
        each_pair(vm, &hash, &mut |vm, key, value| {
            let value = vm.yield_to(&block, &[value])?;
            vm.ensure_not_frozen(call.this)?;
            store(vm, &hash, key, value)?;
            Ok(Flow::More)
        })?;
        Ok(call.this.clone())
    }),
    between("transform_keys!", 0, 1, transform_keys),
    exactly("rehash", 0, |vm, call| {
        let hash = this_hash(call)?;
        if hash.is_iterated() {
            return vm.raise(ErrorClass::Runtime, "rehash during iteration");
        }
        vm.ensure_not_frozen(call.this)?;
        let entries = hash.snapshot();
        charge(vm, entries.len())?;
        hash.change(|it| it.clear());
        for (key, value) in entries {
            if hash.get(&key).is_none() {
                store(vm, &hash, key, value)?;
            }
        }
        Ok(call.this.clone())
    }),
    exactly("default=", 1, |vm, call| {
        let hash = changed_hash(vm, call)?;
        hash.set_default_proc(None);
        hash.set_default_value(call.required(0).clone());
        Ok(call.required(0).clone())
    }),
    exactly("default_proc=", 1, |vm, call| {
        let hash = changed_hash(vm, call)?;
        match call.required(0) {
            Value::Nil => hash.set_default_proc(None),
            Value::Proc(block) => hash.set_default_proc(Some(Rc::clone(block))),
            other => {
                let class = vm.class_of(other).display_name();
                return vm.type_error(format!("wrong default_proc type {class} (expected Proc)"));
            }
        }
        hash.set_default_value(Value::Nil);
        Ok(call.required(0).clone())
    }),
    exactly("compare_by_identity", 0, |_, _| unsupported("Hash#compare_by_identity")),
];

fn assign(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = changed_hash(vm, call)?;
    store(vm, &hash, call.required(0).clone(), call.required(1).clone())?;
    Ok(call.required(1).clone())
}

fn delete(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = changed_hash(vm, call)?;
    let key = call.required(0);
    if stored(vm, &hash, key)?.is_some() {
        vm.world.spend(hash.len() / 16)?;
        return Ok(hash.remove(key).unwrap_or(Value::Nil));
    }
    match call.block {
        Some(block) => vm.yield_to(block, std::slice::from_ref(key)),
        None => Ok(Value::Nil),
    }
}

fn filter(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool, gives_self: bool) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let hash = changed_hash(vm, call)?;
    let before = hash.len();
    each_pair(vm, &hash, &mut |vm, key, value| {
        if vm.yield_to(&block, &[key.clone(), value])?.is_truthy() != wanted {
            vm.ensure_not_frozen(call.this)?;
            vm.world.spend(hash.len() / 16)?;
            hash.remove(&key);
        }
        Ok(Flow::More)
    })?;
    Ok(if gives_self || hash.len() != before { call.this.clone() } else { Value::Nil })
}

fn replace(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = changed_hash(vm, call)?;
    if hash.is_iterated() {
        return unsupported("Hash#replace during iteration");
    }
    let other = hash_argument(vm, call.required(0))?;
    charge(vm, other.len() * 4)?;
    let entries = other.entries().clone();
    hash.change(|it| *it = entries);
    hash.set_default_proc(other.default_proc());
    hash.set_default_value(other.default_value().unwrap_or(Value::Nil));
    Ok(call.this.clone())
}

fn shift(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = changed_hash(vm, call)?;
    vm.world.spend(hash.len() / 16)?;
    let first = hash.entries().first().map(|(key, value)| (key.value().clone(), value.clone()));
    match first {
        Some((key, value)) => {
            hash.change(|entries| drop(entries.shift_remove_index(0)));
            Ok(Value::array(vec![key, value]))
        }
        None if hash.default_proc().is_some() || hash.default_value().is_some_and(|it| !it.is_nil()) => {
            unsupported("Hash#shift of an empty hash with a default, which depends on the version of Ruby")
        }
        None => default(vm, &hash, &Value::Nil),
    }
}

fn update(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = changed_hash(vm, call)?;
    merge_into(vm, &hash, call)?;
    Ok(call.this.clone())
}

/// Stores the entries of all arguments; the block joins the values of keys that are in both.
fn merge_into(vm: &mut Vm<'_>, hash: &Rc<HashObject>, call: &Call<'_>) -> Result<()> {
    for argument in call.arguments {
        let other = hash_argument(vm, argument)?;
        let block: Option<Rc<Proc>> = call.block.cloned();
        each_pair(vm, &other, &mut |vm, key, value| {
            let joined = match (&block, stored(vm, hash, &key)?) {
                (Some(block), Some(before)) => vm.yield_to(block, &[key.clone(), before, value])?,
                _ => value,
            };
            store(vm, hash, key, joined)?;
            Ok(Flow::More)
        })?;
    }
    Ok(())
}

fn transform_keys(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let names = match (call.argument(0), call.block) {
        (None, None) => return enumerator(vm, call),
        (None, Some(_)) => None,
        (Some(names), _) => Some(hash_argument(vm, names)?),
    };
    let hash = changed_hash(vm, call)?;
    let made = Rc::new(HashObject::default());
    for (key, value) in hash.snapshot() {
        let name = super::transform::new_key(vm, names.as_ref(), call.block, &key)?;
        if stored(vm, &made, &key)?.is_none() {
            hash.remove(&key);
        }
        store(vm, &hash, name.clone(), value)?;
        store(vm, &made, name, Value::Bool(true))?;
    }
    Ok(call.this.clone())
}

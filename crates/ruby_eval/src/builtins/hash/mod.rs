//! `Hash`

mod access;
mod change;
mod compare;
mod transform;

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::HashObject;
use crate::vm::ErrorClass;
use crate::{Value, Vm};

use super::support::{charge, ensure_key, hash_argument, try_array};

/// `Hash`
pub(super) static HASH: NativeClass = NativeClass {
    name: "Hash",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[access::METHODS, change::METHODS, transform::METHODS, compare::METHODS],
    singleton_methods: &[CLASS_METHODS],
    ..NativeClass::EMPTY
};

const CLASS_METHODS: &[NativeMethod] = &[
    between("new", 0, 1, new),
    at_least("[]", 0, from_arguments),
    exactly("try_convert", 1, |vm, call| match call.required(0) {
        hash @ Value::Hash(_) => Ok(hash.clone()),
        other if vm.responds_to(other, "to_hash") => Ok(Value::Hash(hash_argument(vm, other)?)),
        _ => Ok(Value::Nil),
    }),
];

/// Rejects subclasses of `Hash`, whose objects would not be plain hashes.
fn only_hash_itself(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<()> {
    match call.this {
        Value::Class(class) if Rc::ptr_eq(class, vm.world.class("Hash")) => Ok(()),
        _ => unsupported("subclasses of Hash"),
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    only_hash_itself(vm, call)?;
    let hash = Rc::new(HashObject::default());
    match (call.block, call.argument(0)) {
        (Some(_), Some(_)) => {
            return vm.argument_error("wrong number of arguments (given 1, expected 0)");
        }
        (Some(block), None) => hash.set_default_proc(Some(Rc::clone(block))),
        (None, Some(default)) => hash.set_default_value(default.clone()),
        (None, None) => {}
    }
    Ok(Value::Hash(hash))
}

fn from_arguments(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    only_hash_itself(vm, call)?;
    let hash = Rc::new(HashObject::default());
    if let [argument] = call.arguments {
        if matches!(argument, Value::Hash(_)) || vm.responds_to(argument, "to_hash") {
            let other = hash_argument(vm, argument)?;
            charge(vm, other.len() * 4)?;
            return Ok(Value::hash(other.snapshot()));
        }
        if let Some(pairs) = try_array(vm, argument)? {
            for (index, item) in pairs.snapshot().iter().enumerate() {
                let Some(pair) = try_array(vm, item)? else {
                    let class = vm.class_of(item).display_name();
                    return vm
                        .argument_error(format!("wrong element type {class} at {index} (expected array)"));
                };
                let (key, value) = match pair.snapshot().as_slice() {
                    [key] => (key.clone(), Value::Nil),
                    [key, value] => (key.clone(), value.clone()),
                    other => {
                        let count = other.len();
                        return vm.argument_error(format!("invalid number of elements ({count} for 1..2)"));
                    }
                };
                store(vm, &hash, key, value)?;
            }
            return Ok(Value::Hash(hash));
        }
    }
    if call.arguments.len() % 2 == 1 {
        return vm.argument_error("odd number of arguments for Hash");
    }
    for pair in call.arguments.chunks_exact(2) {
        if let [key, value] = pair {
            store(vm, &hash, key.clone(), value.clone())?;
        }
    }
    Ok(Value::Hash(hash))
}

/// The value of a key, or the default.
///
/// # Errors
/// Errors of the block for defaults, and of keys that are not supported.
pub(crate) fn lookup(vm: &mut Vm<'_>, hash: &Rc<HashObject>, key: &Value) -> Result {
    ensure_key(vm, key)?;
    match hash.get(key) {
        Some(value) => Ok(value),
        None => default(vm, hash, key),
    }
}

/// The value for a key that a hash does not have.
fn default(vm: &mut Vm<'_>, hash: &Rc<HashObject>, key: &Value) -> Result {
    match hash.default_proc() {
        Some(block) => vm.yield_to(&block, &[Value::Hash(Rc::clone(hash)), key.clone()]),
        None => Ok(hash.default_value().unwrap_or(Value::Nil)),
    }
}

/// The value of a key; None if the hash does not have it.
pub(crate) fn stored(vm: &mut Vm<'_>, hash: &HashObject, key: &Value) -> Result<Option<Value>> {
    ensure_key(vm, key)?;
    Ok(hash.get(key))
}

/// Sets the value of a key in a hash that is not frozen.
///
/// # Errors
/// `RuntimeError` for a new key while the hash is iterated over.
pub(crate) fn store(vm: &mut Vm<'_>, hash: &Rc<HashObject>, key: Value, value: Value) -> Result<()> {
    ensure_key(vm, &key)?;
    if hash.is_iterated() && hash.get(&key).is_none() {
        return vm.raise(ErrorClass::Runtime, "can't add a new key into hash during iteration");
    }
    vm.world.allocate(64)?;
    hash.insert(key, value);
    Ok(())
}

/// A copy of the entries of a hash, without its defaults.
fn copy(vm: &Vm<'_>, hash: &HashObject) -> Result<Rc<HashObject>> {
    charge(vm, hash.len() * 4)?;
    let copy = Rc::new(HashObject::default());
    let entries = hash.entries().clone();
    copy.change(|it| *it = entries);
    Ok(copy)
}

/// A copy of a hash with its defaults.
fn copy_with_default(vm: &Vm<'_>, hash: &HashObject) -> Result<Rc<HashObject>> {
    let copy = copy(vm, hash)?;
    if let Some(default) = hash.default_value() {
        copy.set_default_value(default);
    }
    copy.set_default_proc(hash.default_proc());
    Ok(copy)
}

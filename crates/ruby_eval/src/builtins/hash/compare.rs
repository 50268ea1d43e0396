//! Comparison and text of hashes.

use super::stored;
use crate::builtins::support::{ensure_key, hash_argument, this_hash};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::value::{HashObject, Key};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("==", 1, |vm, call| {
        let other = call.required(0);
        if let Value::Object(_) = other
            && vm.responds_to(other, "to_hash")
        {
            return Ok(Value::Bool(vm.call(other, "==", std::slice::from_ref(call.this))?.is_truthy()));
        }
        Ok(Value::Bool(vm.equal(call.this, other)?))
    }),
    exactly("eql?", 1, |vm, call| {
        ensure_key(vm, call.this)?;
        ensure_key(vm, call.required(0))?;
        Ok(Value::Bool(Key::new(call.this) == Key::new(call.required(0))))
    }),
    exactly("<=", 1, |vm, call| {
        let (hash, other) = (this_hash(call)?, hash_argument(vm, call.required(0))?);
        Ok(Value::Bool(is_subset(vm, &hash, &other)?))
    }),
    exactly("<", 1, |vm, call| {
        let (hash, other) = (this_hash(call)?, hash_argument(vm, call.required(0))?);
        Ok(Value::Bool(hash.len() < other.len() && is_subset(vm, &hash, &other)?))
    }),
    exactly(">=", 1, |vm, call| {
        let (hash, other) = (this_hash(call)?, hash_argument(vm, call.required(0))?);
        Ok(Value::Bool(is_subset(vm, &other, &hash)?))
    }),
    exactly(">", 1, |vm, call| {
        let (hash, other) = (this_hash(call)?, hash_argument(vm, call.required(0))?);
        Ok(Value::Bool(other.len() < hash.len() && is_subset(vm, &other, &hash)?))
    }),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
];

/// Whether all entries of a hash are in another.
fn is_subset(vm: &mut Vm<'_>, hash: &HashObject, other: &HashObject) -> Result<bool> {
    if hash.len() > other.len() {
        return Ok(false);
    }
    for (key, value) in hash.snapshot() {
        vm.world.spend(1)?;
        match stored(vm, other, &key)? {
            Some(it) if vm.equal(&value, &it)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = this_hash(call)?;
    if hash.is_empty() {
        return Ok(Value::string("{}"));
    }
    let text = vm.guarded("inspect", call.this, |vm| {
        let mut text = String::from("{");
        for (index, (key, value)) in hash.snapshot().into_iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            let (key, value) = (vm.inspect(&key)?, vm.inspect(&value)?);
            vm.world.allocate(key.len() + value.len())?;
            text.push_str(&key);
            text.push_str("=>");
            text.push_str(&value);
        }
        text.push('}');
        Ok(text)
    })?;
    Ok(Value::string(text.unwrap_or_else(|| "{...}".to_owned())))
}

//! `Set`

mod algebra;
mod change;

use std::any::Any;
use std::cell::Ref;
use std::hash::BuildHasher;
use std::rc::Rc;

use super::enumerable::{Flow, each_pair, fold, packed};
use super::hash::store;
use super::support::{block_or_enumerator, ensure_key};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, HashObject, Key, Object, Proc};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

/// `Set`
pub(super) static SET: NativeClass = NativeClass {
    name: "Set",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[METHODS, change::METHODS, algebra::METHODS],
    singleton_methods: &[CLASS_METHODS],
    ..NativeClass::EMPTY
};

const CLASS_METHODS: &[NativeMethod] = &[
    between("new", 0, 1, |vm, call| {
        only_set_itself(vm, call)?;
        match call.argument(0) {
            None | Some(Value::Nil) => Ok(new(vm, Rc::new(HashObject::default()))),
            Some(elements) => from(vm, elements, call.block),
        }
    }),
    at_least("[]", 0, |vm, call| {
        only_set_itself(vm, call)?;
        from(vm, &Value::array(call.arguments.to_vec()), None)
    }),
];

const METHODS: &[NativeMethod] = &[
    exactly("each", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        each_pair(vm, &elements(call.this)?, &mut |vm, item, _| {
            vm.yield_to(&block, &[item])?;
            Ok(Flow::More)
        })?;
        Ok(call.this.clone())
    }),
    exactly("size", 0, size),
    exactly("length", 0, size),
    at_least("count", 0, |vm, call| match (call.argument(0), call.block) {
        (None, None) => size(vm, call),
        _ => super::enumerable::count(vm, call),
    }),
    exactly("empty?", 0, |_, call| Ok(Value::Bool(elements(call.this)?.is_empty()))),
    exactly("include?", 1, include),
    exactly("member?", 1, include),
    exactly("===", 1, include),
    exactly("to_a", 0, |vm, call| {
        let all = elements(call.this)?.keys();
        super::support::new_array(vm, all)
    }),
    at_least("to_set", 0, |_, call| match call.arguments {
        [] => Ok(call.this.clone()),
        _ => unsupported("`to_set` with a class"),
    }),
    exactly("==", 1, |vm, call| {
        let (set, other) = (elements(call.this)?, call.required(0));
        let Some(other) = as_set(other) else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(set.len() == other.len() && is_subset(vm, &set, &other)?))
    }),
    exactly("eql?", 1, |vm, call| {
        ensure_key(vm, call.required(0))?;
        Ok(Value::Bool(Key::new(call.this) == Key::new(call.required(0))))
    }),
    exactly("hash", 0, |_, _| unsupported("Set#hash, which differs in each process")),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    between("join", 0, 1, |vm, call| {
        let all = Value::array(elements(call.this)?.keys());
        vm.call(&all, "join", call.arguments)
    }),
    exactly("compare_by_identity", 0, |_, _| unsupported("Set#compare_by_identity")),
    exactly("compare_by_identity?", 0, |_, _| Ok(Value::Bool(false))),
    exactly("divide", 0, |_, _| unsupported("Set#divide")),
    exactly("reset", 0, |_, _| unsupported("Set#reset")),
];

/// The elements of a set: the keys of a hash.
#[derive(Debug)]
struct SetData(Rc<HashObject>);

impl Data for SetData {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        let Some(other) = (&***other as &dyn Any).downcast_ref::<SetData>() else { return false };
        let others = other.0.entries();
        self.0.len() == others.len() && self.0.entries().keys().all(|it| others.contains_key(it))
    }

    fn key_hash(&self) -> Option<u64> {
        let state = foldhash::fast::FixedState::default();
        Some(self.0.entries().keys().fold(0, |sum: u64, key| sum.wrapping_add(state.hash_one(key))))
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        let copy = Rc::new(HashObject::default());
        let entries = self.0.entries().clone();
        copy.change(|it| *it = entries);
        Some(Box::new(SetData(copy)))
    }
}

/// Rejects subclasses of `Set`, whose `initialize` would have to be called.
fn only_set_itself(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<()> {
    match call.this {
        Value::Class(class) if Rc::ptr_eq(class, vm.world.class("Set")) => Ok(()),
        _ => unsupported("subclasses of Set"),
    }
}

/// A new set of the keys of a hash.
fn new(vm: &Vm<'_>, elements: Rc<HashObject>) -> Value {
    Value::Object(Object::new(Rc::clone(vm.world.class("Set")), SetData(elements)))
}

/// Creates a set of the elements of a collection, or of the results of a block for them.
pub(super) fn from(vm: &mut Vm<'_>, elements: &Value, block: Option<&Rc<Proc>>) -> Result {
    let items = items_of(vm, elements)?;
    let set = Rc::new(HashObject::default());
    for item in items {
        let item = match block {
            Some(block) => vm.yield_to(block, &[item])?,
            None => item,
        };
        store(vm, &set, item, Value::Bool(true))?;
    }
    Ok(new(vm, set))
}

/// The elements of a set as the keys of a hash.
pub(super) fn elements(set: &Value) -> Result<Rc<HashObject>> {
    match as_set(set) {
        Some(it) => Ok(it),
        None => unsupported("a method of Set for another object"),
    }
}

fn as_set(value: &Value) -> Option<Rc<HashObject>> {
    match value {
        Value::Object(object) => object.data_as::<SetData>().map(|it| Rc::clone(&it.0)),
        _ => None,
    }
}

/// The elements of an argument that must be a collection.
fn items_of(vm: &mut Vm<'_>, argument: &Value) -> Result<Vec<Value>> {
    if let Some(set) = as_set(argument) {
        return Ok(set.keys());
    }
    if !matches!(argument, Value::Array(_) | Value::Hash(_) | Value::Range(_))
        && !vm.responds_to(argument, "each")
    {
        return vm.argument_error("value must be enumerable");
    }
    fold(vm, argument, Vec::new(), |vm, all, values| {
        super::support::push(vm, all, packed(values))?;
        Ok(Flow::More)
    })
}

fn size(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Integer(i64::try_from(elements(call.this)?.len()).unwrap_or(i64::MAX)))
}

fn contains(vm: &mut Vm<'_>, set: &HashObject, item: &Value) -> Result<bool> {
    ensure_key(vm, item)?;
    Ok(set.get(item).is_some())
}

fn include(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(contains(vm, &*elements(call.this)?, call.required(0))?))
}

fn is_subset(vm: &mut Vm<'_>, set: &HashObject, other: &HashObject) -> Result<bool> {
    if set.len() > other.len() {
        return Ok(false);
    }
    for item in set.keys() {
        vm.world.spend(1)?;
        if !contains(vm, other, &item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The elements, for changes. A frozen set raises the exception that CRuby's implementation in Ruby raises for the
/// inner hash.
fn changed(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Rc<HashObject>> {
    let set = elements(call.this)?;
    ensure_not_frozen(vm, call, &set)?;
    Ok(set)
}

fn ensure_not_frozen(vm: &mut Vm<'_>, call: &Call<'_>, set: &Rc<HashObject>) -> Result<()> {
    if !vm.is_frozen(call.this) {
        return Ok(());
    }
    let hash = vm.inspect(&Value::Hash(Rc::clone(set)))?;
    vm.raise(ErrorClass::Frozen, format!("can't modify frozen Hash: {hash}"))
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let set = elements(call.this)?;
    let text = vm.guarded("inspect", call.this, |vm| {
        let mut text = String::from("#<Set: {");
        for (index, item) in set.keys().iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            let item = vm.inspect(item)?;
            vm.world.allocate(item.len())?;
            text.push_str(&item);
        }
        text.push_str("}>");
        Ok(text)
    })?;
    Ok(Value::string(text.unwrap_or_else(|| "#<Set: {...}>".to_owned())))
}

//! `Marshal`, as far as programs copy values with it: `Marshal.load(Marshal.dump(value))`.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;

use crate::native::{Call, NativeClass, NativeMethod, at_least, refused};
use crate::stop::{Result, unsupported};
use crate::value::{ArrayObject, Data, HashObject, Object, StringObject};
use crate::{Value, Vm};

/// The maximal depth of a copied value.
const DEPTH: usize = 512;

/// The result of `Marshal.dump`: a string whose bytes are not known, since they depend on which equal strings are one object.
#[derive(Debug)]
struct Dump(Value);

impl Data for Dump {}

/// A copy of a value in progress.
#[derive(Default)]
struct Copy {
    /// The copies of arrays, hashes and strings by the addresses of the originals, which stay one object if they were one.
    known: HashMap<usize, Value>,
}

impl Copy {
    fn of(&mut self, vm: &mut Vm<'_>, value: &Value, depth: usize) -> Result {
        if depth > DEPTH {
            return unsupported("Marshal.dump of a value that is nested too deeply");
        }
        vm.world.spend(1)?;
        let place = match value {
            Value::Nil | Value::Bool(_) | Value::Integer(_) | Value::Float(_) | Value::Symbol(_) => {
                return Ok(value.clone());
            }
            Value::BigInteger(it) => Rc::as_ptr(it).addr(),
            Value::String(it) => Rc::as_ptr(it).addr(),
            Value::Array(it) => Rc::as_ptr(it).addr(),
            Value::Hash(it) => Rc::as_ptr(it).addr(),
            other => {
                let class = vm.class_of(other);
                return unsupported(format!("Marshal.dump of an object of {}", class.display_name()));
            }
        };
        if let Some(known) = self.known.get(&place) {
            return Ok(known.clone());
        }
        match value {
            Value::String(it) => {
                vm.world.allocate(it.bytes().len())?;
                let copy = Value::String(Rc::new(StringObject::copy_of(it)));
                self.known.insert(place, copy.clone());
                Ok(copy)
            }
            Value::BigInteger(it) => {
                let copy = Value::big(BigInt::clone(it));
                self.known.insert(place, copy.clone());
                Ok(copy)
            }
            Value::Array(it) => {
                let copy = Rc::new(ArrayObject::new(Vec::new()));
                self.known.insert(place, Value::Array(Rc::clone(&copy)));
                vm.world.allocate(it.len() * size_of::<Value>())?;
                for item in it.snapshot() {
                    let item = self.of(vm, &item, depth + 1)?;
                    copy.change(|items| items.push(item));
                }
                Ok(Value::Array(copy))
            }
            Value::Hash(it) => self.of_hash(vm, it, place, depth),
            _ => Ok(Value::Nil),
        }
    }

    fn of_hash(&mut self, vm: &mut Vm<'_>, it: &Rc<HashObject>, place: usize, depth: usize) -> Result {
        if it.default_proc().is_some() || it.singleton().is_some() {
            return unsupported("Marshal.dump of a hash with code");
        }
        let Value::Hash(copy) = Value::hash([]) else { return Ok(Value::Nil) };
        self.known.insert(place, Value::Hash(Rc::clone(&copy)));
        vm.world.allocate(it.len() * 2 * size_of::<Value>())?;
        for (key, value) in it.snapshot() {
            let key = match key {
                // The keys of hashes are frozen strings.
                Value::String(text) => {
                    let text = StringObject::copy_of(&text);
                    text.freeze();
                    Value::String(Rc::new(text))
                }
                Value::Nil | Value::Bool(_) | Value::Integer(_) | Value::Float(_) | Value::Symbol(_) => key,
                _ => return unsupported("Marshal.dump of a hash with such keys"),
            };
            let value = self.of(vm, &value, depth + 1)?;
            copy.insert(key, value);
        }
        if let Some(default) = it.default_value() {
            let default = self.of(vm, &default, depth + 1)?;
            copy.set_default_value(default);
        }
        Ok(Value::Hash(copy))
    }
}

fn dump(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let [value] = call.arguments else { return unsupported("Marshal.dump with these arguments") };
    let copy = Copy::default().of(vm, value, 0)?;
    let class = Rc::clone(vm.world.class("Marshal::Dump"));
    Ok(Value::Object(Object::new(class, Dump(copy))))
}

fn load(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let [Value::Object(dumped)] = call.arguments else {
        return unsupported("Marshal.load with these arguments");
    };
    let Some(value) = dumped.data_as::<Dump>().map(|it| it.0.clone()) else {
        return unsupported("Marshal.load with these arguments");
    };
    Copy::default().of(vm, &value, 0)
}

/// The methods that other objects have, too, and whose answers depend on the bytes or on the class.
static UNKNOWN: [NativeMethod; 13] = [
    refused("class"),
    refused("instance_of?"),
    refused("singleton_class"),
    refused("frozen?"),
    refused("=="),
    refused("!="),
    refused("==="),
    refused("eql?"),
    refused("equal?"),
    refused("hash"),
    refused("to_s"),
    refused("to_str"),
    refused("inspect"),
];

pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Marshal",
        singleton_methods: &[&[at_least("dump", 0, dump), at_least("load", 0, load)]],
        ..NativeClass::EMPTY
    },
    // The methods of strings are not implemented for it.
    NativeClass {
        name: "Marshal::Dump",
        superclass: Some("String"),
        methods: &[&UNKNOWN],
        ..NativeClass::EMPTY
    },
];

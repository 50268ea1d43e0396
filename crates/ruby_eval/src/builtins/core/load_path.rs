//! `$LOAD_PATH`: code may add folders to it, of which nothing comes. `require` looks in the `lib` folders of modules, and what is
//! not there is not known.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Object};
use crate::{Value, Vm};

/// The class of `$LOAD_PATH`, which has a few of an array's methods.
pub(in crate::builtins) static LOAD_PATH: NativeClass =
    NativeClass { name: "LoadPath", superclass: Some("Object"), methods: &[METHODS], ..NativeClass::EMPTY };

#[derive(Debug)]
struct LoadPath;

impl Data for LoadPath {}

/// A new `$LOAD_PATH`.
pub(crate) fn load_path(vm: &Vm<'_>) -> Value {
    Value::Object(Object::new(Rc::clone(vm.world.class("LoadPath")), LoadPath))
}

static METHODS: &[NativeMethod] = &[
    at_least("unshift", 0, itself),
    at_least("prepend", 0, itself),
    at_least("push", 0, itself),
    at_least("append", 0, itself),
    exactly("<<", 1, itself),
    // Folders that code adds are those of modules, which Puppet has added; adding them again is harmless.
    exactly("include?", 1, |_, _| Ok(Value::Bool(false))),
    exactly("member?", 1, |_, _| Ok(Value::Bool(false))),
    at_least("[]", 0, not_known),
    at_least("all?", 0, not_known),
    at_least("any?", 0, not_known),
    at_least("concat", 0, not_known),
    at_least("collect", 0, not_known),
    at_least("count", 0, not_known),
    at_least("delete", 0, not_known),
    at_least("delete_if", 0, not_known),
    at_least("detect", 0, not_known),
    at_least("dup", 0, not_known),
    at_least("each", 0, not_known),
    at_least("empty?", 0, not_known),
    at_least("find", 0, not_known),
    at_least("first", 0, not_known),
    at_least("flat_map", 0, not_known),
    at_least("inspect", 0, not_known),
    at_least("join", 0, not_known),
    at_least("last", 0, not_known),
    at_least("length", 0, not_known),
    at_least("map", 0, not_known),
    at_least("none?", 0, not_known),
    at_least("reject", 0, not_known),
    at_least("select", 0, not_known),
    at_least("size", 0, not_known),
    at_least("to_a", 0, not_known),
    at_least("to_s", 0, not_known),
    at_least("uniq!", 0, not_known),
];

fn itself(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(call.this.clone())
}

fn not_known(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    unsupported(format!("$LOAD_PATH.{}", call.name.name()))
}

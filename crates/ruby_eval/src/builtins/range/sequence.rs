//! `Enumerator::ArithmeticSequence`: steps of numbers without a block.

use std::rc::Rc;

use crate::builtins::core::call_of;
use crate::native::{Call, NativeClass, NativeMethod, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::{Symbol, Value, Vm};

/// `Enumerator::ArithmeticSequence`
pub(in crate::builtins) static SEQUENCE: NativeClass = NativeClass {
    name: "Enumerator::ArithmeticSequence",
    superclass: Some("Enumerator"),
    methods: &[METHODS],
    ..NativeClass::EMPTY
};

const METHODS: &[NativeMethod] = &[
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    refused("begin"),
    refused("end"),
    refused("step"),
    refused("exclude_end?"),
    refused("last"),
    refused("size"),
    refused("=="),
    refused("==="),
    refused("eql?"),
    refused("hash"),
];

/// A new sequence: an enumerator of a method of a number or range.
pub(in crate::builtins) fn new(vm: &mut Vm<'_>, this: &Value, name: Symbol, arguments: &[Value]) -> Value {
    let sequence = vm.enumerator(this, name, arguments);
    if let Value::Object(object) = &sequence {
        object.set_class(Rc::clone(vm.world.class("Enumerator::ArithmeticSequence")));
    }
    sequence
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some((receiver, name, arguments)) = call_of(call.this) else {
        return unsupported("a sequence without a source");
    };
    if !matches!(&*name.name(), "step" | "%") {
        return unsupported("the text of this sequence");
    }
    let mut text = vm.inspect(&receiver)?;
    if matches!(receiver, Value::Range(_)) {
        text = format!("({text})");
    }
    let mut shown = Vec::new();
    for argument in &arguments {
        shown.push(vm.inspect(argument)?);
    }
    let shown = if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) };
    Ok(Value::string(format!("({text}.{name}{shown})")))
}

//! `NilClass`, `TrueClass`, `FalseClass`.

use crate::Value;
use crate::native::{Call, NativeClass, NativeMethod, exactly};
use crate::stop::Result;
use crate::vm::Vm;

/// `NilClass`
pub(in crate::builtins) static NIL: NativeClass = NativeClass {
    name: "NilClass",
    superclass: Some("Object"),
    methods: &[&[
        exactly("to_s", 0, |_, _| Ok(frozen(""))),
        exactly("to_a", 0, |_, _| Ok(Value::array(Vec::new()))),
        exactly("to_h", 0, |_, _| Ok(Value::hash([]))),
        exactly("to_i", 0, |_, _| Ok(Value::Integer(0))),
        exactly("to_f", 0, |_, _| Ok(Value::Float(0.0))),
        exactly("inspect", 0, |_, _| Ok(Value::from("nil"))),
        exactly("nil?", 0, |_, _| Ok(Value::Bool(true))),
        exactly("=~", 1, |_, _| Ok(Value::Nil)),
        exactly("==", 1, |_, call| Ok(Value::Bool(call.required(0).is_nil()))),
        exactly("===", 1, |_, call| Ok(Value::Bool(call.required(0).is_nil()))),
        exactly("&", 1, |_, _| Ok(Value::Bool(false))),
        exactly("|", 1, |_, call| Ok(Value::Bool(call.required(0).is_truthy()))),
        exactly("^", 1, |_, call| Ok(Value::Bool(call.required(0).is_truthy()))),
    ]],
    ..NativeClass::EMPTY
};

/// `TrueClass`
pub(in crate::builtins) static TRUE: NativeClass =
    NativeClass { name: "TrueClass", superclass: Some("Object"), methods: &[BOOLEAN], ..NativeClass::EMPTY };

/// `FalseClass`
pub(in crate::builtins) static FALSE: NativeClass =
    NativeClass { name: "FalseClass", superclass: Some("Object"), methods: &[BOOLEAN], ..NativeClass::EMPTY };

static BOOLEAN: &[NativeMethod] = &[
    exactly("to_s", 0, |_, call| Ok(frozen(text(call)))),
    exactly("inspect", 0, |_, call| Ok(frozen(text(call)))),
    exactly("==", 1, same),
    exactly("===", 1, same),
    exactly("&", 1, |_, call| Ok(Value::Bool(call.this.is_truthy() && call.required(0).is_truthy()))),
    exactly("|", 1, |_, call| Ok(Value::Bool(call.this.is_truthy() || call.required(0).is_truthy()))),
    exactly("^", 1, |_, call| Ok(Value::Bool(call.this.is_truthy() != call.required(0).is_truthy()))),
];

fn same(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(call.this.is_identical(call.required(0))))
}

fn text(call: &Call<'_>) -> &'static str {
    if call.this.is_truthy() { "true" } else { "false" }
}

/// The text of a constant, which is always the same frozen string.
fn frozen(text: &str) -> Value {
    let value = Value::string(text);
    if let Value::String(it) = &value {
        it.freeze();
        it.set_encoding(crate::value::Encoding::Ascii);
    }
    value
}

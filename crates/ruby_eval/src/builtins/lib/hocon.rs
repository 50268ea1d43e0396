//! The library `hocon`, as far as `parsehocon` uses it. The host reads the text, as it reads data files.

use super::support::{new_object, text_of};
use crate::native::{Call, NativeClass, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Data;
use crate::{Value, Vm};

/// A document that was read.
#[derive(Debug)]
struct Document(Value);

impl Data for Document {}

fn read(vm: &mut Vm<'_>, text: &Value) -> Result {
    let text = text_of(vm, text)?;
    let answer = vm.host.parse_hocon(&text);
    let value = vm.answered(answer)?;
    vm.import(&value)
}

/// `Hocon::ConfigFactory.parse_string(text)`
fn parse_string(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let value = read(vm, call.required(0))?;
    let config = Value::Class(std::rc::Rc::clone(vm.world.class("Hocon::Config")));
    Ok(new_object(vm, &config, Document(value)))
}

/// The value of a document.
fn unwrapped(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.this {
        Value::Object(it) => match it.data_as::<Document>() {
            Some(document) => Ok(document.0.clone()),
            None => unsupported("a HOCON document of another kind"),
        },
        _ => unsupported("a HOCON document of another kind"),
    }
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Hocon",
        singleton_methods: &[&[exactly("parse", 1, |vm, call| read(vm, call.required(0)))]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Hocon::ConfigFactory",
        superclass: Some("Object"),
        singleton_methods: &[&[exactly("parse_string", 1, parse_string)]],
        ..NativeClass::EMPTY
    },
    // Substitutions are resolved already; a document and its root are one.
    NativeClass {
        name: "Hocon::Config",
        superclass: Some("Object"),
        methods: &[&[
            exactly("resolve", 0, |_, call| Ok(call.this.clone())),
            exactly("root", 0, |_, call| Ok(call.this.clone())),
            exactly("unwrapped", 0, unwrapped),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Hocon::ConfigError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Hocon::ConfigError::ConfigParseError",
        superclass: Some("Hocon::ConfigError"),
        ..NativeClass::EMPTY
    },
];

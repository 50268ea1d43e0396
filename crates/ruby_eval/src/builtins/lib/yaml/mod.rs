//! `Psych`, which is also `YAML`, and `to_yaml` of all objects.

mod dump;
mod load;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;

use self::load::Permitted;
use crate::native::{Call, NativeClass, NativeMethod, between, exactly};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{HashObject, Object};
use crate::{Value, Vm};

/// Converts a scalar that was resolved by the rules of YAML.
fn from_puppet(value: &PuppetValue) -> Result {
    Ok(match value {
        PuppetValue::Undef => Value::Nil,
        PuppetValue::Boolean(it) => Value::Bool(*it),
        PuppetValue::Integer(it) => Value::big(it.to_big()),
        PuppetValue::Float(it) => Value::Float(*it),
        PuppetValue::String(it) => Value::from(&**it),
        _ => return unsupported("this value in YAML"),
    })
}

/// Raises `Psych::SyntaxError`. Its message, which only Ruby's own parser knows, is an object without a known text.
fn raise_syntax_error<T>(vm: &mut Vm<'_>) -> Result<T> {
    let message = Object::new(Rc::clone(vm.world.class("Psych::UnknownMessage")), ());
    let class = Rc::clone(vm.world.class("Psych::SyntaxError"));
    let exception = vm.new_exception(class, Some(Value::Object(message)));
    Err(Box::new(Stop::Raise(exception)))
}

fn unknown_message(_: &mut Vm<'_>, _: &Call<'_>) -> Result {
    unsupported("the message of Psych::SyntaxError")
}

fn options(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<HashObject>> {
    match value {
        Value::Hash(it) => Ok(Rc::clone(it)),
        other => {
            let name = vm.class_of(other).display_name();
            unsupported(format!("YAML with a {name} as options"))
        }
    }
}

fn to_yaml(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let options = match call.argument(0) {
        Some(it) => Some(options(vm, it)?),
        None => None,
    };
    dump::dump(vm, call.this, options.as_deref())
}

fn dump_value(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let given = match (call.argument(1), call.argument(2)) {
        (None | Some(Value::Nil), None) => None,
        (None | Some(Value::Nil), Some(it)) | (Some(it), None) => Some(options(vm, it)?),
        _ => return unsupported("YAML.dump into an object"),
    };
    dump::dump(vm, call.required(0), given.as_deref())
}

fn class_names(vm: &mut Vm<'_>, classes: &Value) -> Result<Vec<String>> {
    let classes = vm.expect_array(classes)?.snapshot();
    classes.iter().map(|it| Ok(vm.to_s(it)?.lossy())).collect()
}

/// The limits by the keyword arguments of a method.
fn permitted(vm: &mut Vm<'_>, call: &Call<'_>, defaults: Permitted) -> Result<(Permitted, Option<Value>)> {
    let mut permitted = defaults;
    let mut fallback = None;
    let Some(keywords) = call.keywords else { return Ok((permitted, fallback)) };
    for (key, value) in keywords.snapshot() {
        let Value::Symbol(name) = &key else { return unsupported("YAML.load with these options") };
        match &*name.name() {
            "permitted_classes" => {
                permitted.symbols = false;
                for name in class_names(vm, &value)? {
                    match &*name {
                        "Symbol" => permitted.symbols = true,
                        "Regexp" => permitted.regexps = true,
                        "Time" => permitted.times = true,
                        "Date" => permitted.dates = true,
                        "String" | "Integer" | "Float" | "Array" | "Hash" | "NilClass" | "TrueClass"
                        | "FalseClass" => {}
                        other => return unsupported(format!("YAML.load that permits {other}")),
                    }
                }
            }
            "permitted_symbols" if matches!(&value, Value::Array(it) if it.is_empty()) => {}
            "aliases" => permitted.aliases = value.is_truthy(),
            "filename" => {}
            "fallback" => fallback = Some(value),
            "symbolize_names" => permitted.symbolize_names = value.is_truthy(),
            "freeze" => permitted.freeze = value.is_truthy(),
            other => return unsupported(format!("YAML.load with {other}")),
        }
    }
    Ok((permitted, fallback))
}

/// Loads the first document; `empty` is the answer if there is none and no fallback.
fn load_text(vm: &mut Vm<'_>, call: &Call<'_>, text: &str, defaults: Permitted, empty: Value) -> Result {
    let (permitted, fallback) = permitted(vm, call, defaults)?;
    Ok(load::load(vm, text, permitted)?.or(fallback).unwrap_or(empty))
}

fn load_with(vm: &mut Vm<'_>, call: &Call<'_>, defaults: Permitted, empty: Value) -> Result {
    let read = super::opened::rest(vm, call.required(0))?;
    let Value::String(text) = read.as_ref().unwrap_or(call.required(0)) else {
        return match call.required(0) {
            Value::Object(it) => unsupported(format!("YAML.load of a {}", it.class().display_name())),
            other => vm.no_conversion(other, "String"),
        };
    };
    let Some(text) = text.text().map(|it| it.to_owned()) else { return unsupported("YAML.load of bytes") };
    load_text(vm, call, &text, defaults, empty)
}

fn load_data(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    load_with(vm, call, Permitted { symbols: true, ..Permitted::default() }, Value::Nil)
}

fn safe_load(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    load_with(vm, call, Permitted::default(), Value::Nil)
}

fn unsafe_load(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let everything = Permitted { symbols: true, aliases: true, everything: true, ..Permitted::default() };
    load_with(vm, call, everything, Value::Bool(false))
}

fn load_file(vm: &mut Vm<'_>, call: &Call<'_>, defaults: Permitted) -> Result {
    let path = vm.expect_string(call.required(0))?.lossy();
    let Ok(text) = String::from_utf8(super::file::read(vm, &path)?) else {
        return unsupported("YAML.load of bytes");
    };
    load_text(vm, call, &text, defaults, Value::Nil)
}

fn load_data_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    load_file(vm, call, Permitted { symbols: true, ..Permitted::default() })
}

fn safe_load_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    load_file(vm, call, Permitted::default())
}

fn yaml(vm: &mut Vm<'_>) -> Result {
    Ok(Value::Class(Rc::clone(vm.world.class("Psych"))))
}

const FUNCTIONS: &[NativeMethod] = &[
    between("dump", 1, 3, dump_value),
    exactly("load", 1, load_data).with_keywords(),
    exactly("safe_load", 1, safe_load).with_keywords(),
    exactly("unsafe_load", 1, unsafe_load).with_keywords(),
    exactly("load_file", 1, load_data_file).with_keywords(),
    exactly("safe_load_file", 1, safe_load_file).with_keywords(),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Psych",
        singleton_methods: &[FUNCTIONS],
        constants: &[("VERSION", |_| Ok(Value::from("5.0.1")))],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Psych::Exception", superclass: Some("RuntimeError"), ..NativeClass::EMPTY },
    NativeClass { name: "Psych::SyntaxError", superclass: Some("Psych::Exception"), ..NativeClass::EMPTY },
    NativeClass { name: "Psych::BadAlias", superclass: Some("Psych::Exception"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Psych::AliasesNotEnabled",
        superclass: Some("Psych::BadAlias"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Psych::AnchorNotDefined",
        superclass: Some("Psych::BadAlias"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Psych::DisallowedClass",
        superclass: Some("Psych::Exception"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Psych::UnknownMessage",
        superclass: Some("Object"),
        methods: &[&[
            exactly("to_s", 0, unknown_message),
            exactly("to_str", 0, unknown_message),
            exactly("inspect", 0, unknown_message),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Object",
        superclass: Some("BasicObject"),
        methods: &[&[between("to_yaml", 0, 1, to_yaml)]],
        constants: &[("YAML", yaml)],
        ..NativeClass::EMPTY
    },
];

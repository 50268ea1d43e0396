//! Puppet's own readers and writers of data: `Puppet::Util::Json`, `Puppet::Util::Yaml`, and the conversion to data that
//! catalogs contain, `Puppet::Pops::Serialization::ToDataConverter`.

use std::rc::Rc;

use marotte_pcore::binary::Binary;
use marotte_pcore::value::Value as PuppetValue;

use crate::native::{Call, NativeClass, at_least, between};
use crate::puppet::opaque::Opaque;
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Encoding, HashObject};
use crate::vm::Exception;
use crate::{Symbol, Value, Vm};

/// The maximal nesting of values that are converted to data.
const DEPTH: usize = 512;

/// Raises an exception of `class` with the message of another one of the class `of`; passes on everything else.
fn reworded(vm: &mut Vm<'_>, result: Result, of: &str, class: &str) -> Result {
    let stop = match result {
        Err(stop) => *stop,
        done => return done,
    };
    let Stop::Raise(exception) = stop else { return Err(Box::new(stop)) };
    if !vm.is_a(&exception, of) {
        return Err(Box::new(Stop::Raise(exception)));
    }
    let message = match &exception {
        Value::Object(it) => it.data_as::<Exception>().and_then(|it| it.message.clone()),
        _ => None,
    };
    let class = Rc::clone(vm.world.class(class));
    let exception = vm.new_exception(class, message);
    vm.raise_value(exception)
}

fn module(vm: &Vm<'_>, name: &str) -> Value {
    Value::Class(Rc::clone(vm.world.class(name)))
}

/// `Puppet::Util::Json.load(text, options)`
fn load_json(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let read = super::opened::rest(vm, call.required(0))?;
    let text = read.unwrap_or_else(|| call.required(0).clone());
    let options = match call.argument(1) {
        None => Value::hash([]),
        Some(Value::Hash(given)) => {
            let renamed =
                |(name, value): (Value, Value)| match name.is_identical(&Value::symbol("symbolize_keys")) {
                    true => (Value::symbol("symbolize_names"), value),
                    false => (name, value),
                };
            Value::hash(given.snapshot().into_iter().map(renamed).collect::<Vec<_>>())
        }
        Some(_) => return unsupported("Puppet::Util::Json.load with these options"),
    };
    let json = module(vm, "JSON");
    let parsed = vm.call(&json, "parse", &[text, options]);
    reworded(vm, parsed, "JSON::ParserError", "Puppet::Util::Json::ParseError")
}

/// `Puppet::Util::Json.dump(value, pretty: true)`
fn dump_json(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let given = match call.argument(1) {
        None => Vec::new(),
        Some(Value::Hash(it)) => it.snapshot(),
        Some(_) => return unsupported("Puppet::Util::Json.dump with these options"),
    };
    match &given[..] {
        [] => vm.call(call.required(0), "to_json", &[]),
        [(name, value)] if name.is_identical(&Value::symbol("pretty")) => match value.is_truthy() {
            true => {
                let json = module(vm, "JSON");
                vm.call(&json, "pretty_generate", &[call.required(0).clone()])
            }
            false => vm.call(call.required(0), "to_json", &[]),
        },
        _ => unsupported("Puppet::Util::Json.dump with these options"),
    }
}

/// `Puppet::Util::Yaml.safe_load(text, classes)`
fn load_yaml(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let classes = call.argument(1).cloned().unwrap_or_else(|| Value::array(Vec::new()));
    let file = match call.argument(2) {
        None | Some(Value::Nil) => "<unknown>".to_owned(),
        Some(it) => super::support::text_of(vm, it)?,
    };
    safe_load(vm, call.required(0).clone(), classes, &file)
}

/// `Puppet::Util::Yaml.safe_load_file(path, classes)`
fn load_yaml_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = super::support::text_of(vm, call.required(0))?;
    let bytes = super::file::read(vm, &path)?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").map_or(bytes.clone(), <[u8]>::to_vec);
    let classes = call.argument(1).cloned().unwrap_or_else(|| Value::array(Vec::new()));
    safe_load(vm, super::support::encoded(bytes, Encoding::Utf8), classes, &path)
}

fn safe_load(vm: &mut Vm<'_>, text: Value, classes: Value, file: &str) -> Result {
    let options = Rc::new(HashObject::default());
    options.insert(Value::symbol("permitted_classes"), classes);
    options.insert(Value::symbol("aliases"), Value::Bool(true));
    let yaml = module(vm, "Psych");
    let loaded = vm.send(&yaml, Symbol::new("safe_load"), &[text], Some(&options), None);
    if let Err(stop) = &loaded
        && let Stop::Raise(exception) = &**stop
        && vm.is_a(exception, "Psych::DisallowedClass")
    {
        let message = vm.call(exception, "message", &[])?;
        let message = format!("({file}): {}", vm.to_s(&message)?.lossy());
        return vm.raise_named("Puppet::Util::Yaml::YamlLoadError", message);
    }
    let loaded = reworded(vm, loaded, "Psych::Exception", "Puppet::Util::Yaml::YamlLoadError")?;
    Ok(if loaded.is_nil() { Value::Bool(false) } else { loaded })
}

/// `Puppet::Pops::Serialization::ToDataConverter.convert(value, rich_data: true)`
fn to_data(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let options = match call.argument(1) {
        None => Vec::new(),
        Some(Value::Hash(it)) => it.snapshot(),
        Some(_) => return unsupported("ToDataConverter.convert with these options"),
    };
    let mut is_rich = false;
    for (name, value) in &options {
        match name {
            Value::Symbol(it) if &*it.name() == "rich_data" => is_rich = value.is_truthy(),
            Value::Symbol(it) if &*it.name() == "message_prefix" => {}
            _ => return unsupported("ToDataConverter.convert with these options"),
        }
    }
    let mut converter = Converter { is_rich, met: Vec::new() };
    converter.convert(vm, call.required(0), 0)
}

/// A conversion in progress.
struct Converter {
    is_rich: bool,
    /// The arrays and hashes met so far, of which a second occurrence becomes a reference to the first.
    met: Vec<Value>,
}

fn tagged(tag: &str, value: Option<Value>) -> Value {
    let entries =
        [Some((Value::from("__ptype"), Value::from(tag))), value.map(|it| (Value::from("__pvalue"), it))];
    Value::hash(entries.into_iter().flatten().collect::<Vec<_>>())
}

impl Converter {
    /// Notes an array or hash, and rejects one that was met before.
    fn meet(&mut self, vm: &mut Vm<'_>, value: &Value) -> Result<()> {
        vm.world.spend(1 + self.met.len() / 16)?;
        if self.met.iter().any(|it| it.is_identical(value)) {
            return unsupported("ToDataConverter.convert of one object at two places");
        }
        self.met.push(value.clone());
        Ok(())
    }

    fn convert(&mut self, vm: &mut Vm<'_>, value: &Value, depth: usize) -> Result {
        if depth > DEPTH {
            return unsupported("ToDataConverter.convert of a value that is nested deeply");
        }
        match value {
            Value::String(it) if self.is_rich && it.encoding() == Encoding::Binary => {
                let text = Binary::from(it.bytes().clone()).to_base64();
                Ok(tagged("Binary", Some(Value::from(text))))
            }
            Value::Nil
            | Value::Bool(_)
            | Value::Integer(_)
            | Value::BigInteger(_)
            | Value::Float(_)
            | Value::String(_) => Ok(value.clone()),
            Value::Symbol(it) if self.is_rich => Ok(match &*it.name() {
                "default" => tagged("Default", None),
                name => tagged("Symbol", Some(Value::from(name))),
            }),
            Value::Array(it) => {
                self.meet(vm, value)?;
                let mut items = Vec::new();
                for item in it.snapshot() {
                    items.push(self.convert(vm, &item, depth + 1)?);
                }
                vm.world.allocate(items.len() * size_of::<Value>())?;
                Ok(Value::array(items))
            }
            Value::Hash(it) => {
                self.meet(vm, value)?;
                self.entries(vm, it, depth)
            }
            Value::Object(it) if self.is_rich => {
                let inner = match it.data_as::<Opaque>().map(|it| it.value().clone()) {
                    Some(PuppetValue::Sensitive(it)) => vm.import(it.unwrap())?,
                    _ => return unsupported("ToDataConverter.convert of this object"),
                };
                let inner = self.convert(vm, &inner, depth + 1)?;
                Ok(tagged("Sensitive", Some(inner)))
            }
            _ => unsupported("ToDataConverter.convert of this object"),
        }
    }

    fn entries(&mut self, vm: &mut Vm<'_>, hash: &HashObject, depth: usize) -> Result {
        let is_plain = |key: &Value| matches!(key, Value::String(it) if it.bytes().as_slice() != b"__ptype");
        let entries = hash.snapshot();
        vm.world.allocate(entries.len() * 40)?;
        if entries.iter().all(|(key, _)| is_plain(key)) {
            let mut converted = Vec::new();
            for (key, value) in entries {
                converted.push((key, self.convert(vm, &value, depth + 1)?));
            }
            return Ok(Value::hash(converted));
        }
        if !self.is_rich {
            return unsupported("ToDataConverter.convert of a hash with keys that are not strings");
        }
        let mut pairs = Vec::new();
        for (key, value) in entries {
            pairs.push(self.convert(vm, &key, depth + 1)?);
            pairs.push(self.convert(vm, &value, depth + 1)?);
        }
        Ok(tagged("Hash", Some(Value::array(pairs))))
    }
}

/// The classes of these modules.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Puppet::Util::Json",
        singleton_methods: &[&[between("load", 1, 2, load_json), between("dump", 1, 2, dump_json)]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Json::ParseError",
        superclass: Some("StandardError"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Yaml",
        singleton_methods: &[&[
            between("safe_load", 1, 3, load_yaml),
            between("safe_load_file", 1, 2, load_yaml_file),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Yaml::YamlLoadError",
        superclass: Some("Puppet::Error"),
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Puppet::Pops::Serialization", ..NativeClass::EMPTY },
    NativeClass {
        name: "Puppet::Pops::Serialization::ToDataConverter",
        superclass: Some("Object"),
        singleton_methods: &[&[
            between("convert", 1, 2, to_data),
            at_least("new", 0, |_, _| unsupported("ToDataConverter.new")),
        ]],
        ..NativeClass::EMPTY
    },
];

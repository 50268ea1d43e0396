//! `OpenStruct`: an object whose fields are not declared.

use std::rc::Rc;

use super::support::new_object;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::value::{Data, HashObject};
use crate::{Symbol, Value, Vm};

/// The fields, by symbols.
#[derive(Debug)]
struct Fields(Rc<HashObject>);

impl Data for Fields {}

fn fields(value: &Value) -> Result<Rc<HashObject>> {
    let found = match value {
        Value::Object(it) => it.data_as::<Fields>().map(|it| Rc::clone(&it.0)),
        _ => None,
    };
    found.map_or_else(|| unsupported("an OpenStruct of another kind"), Ok)
}

/// `OpenStruct.new`, `OpenStruct.new(hash)`
fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let made = new_object(vm, call.this, Fields(Rc::default()));
    match call.argument(0) {
        None | Some(Value::Nil) => {}
        Some(Value::Hash(hash)) => {
            for (name, value) in hash.snapshot() {
                let name = match &name {
                    Value::Symbol(_) | Value::String(_) => vm.expect_name(&name)?,
                    _ => return vm.no_method(&name, Symbol::new("to_sym")),
                };
                set(vm, &made, name, value)?;
            }
        }
        Some(_) => return unsupported("OpenStruct.new of this value"),
    }
    Ok(made)
}

/// Sets a field. One with the name of a method would replace it for its readers only.
fn set(vm: &mut Vm<'_>, this: &Value, name: Symbol, value: Value) -> Result<()> {
    let fields = fields(this)?;
    vm.ensure_not_frozen(this)?;
    if fields.get(&Value::Symbol(name)).is_none()
        && (vm.find_entry(this, name).is_some() || vm.known_method(this, name).is_some())
    {
        return unsupported(format!("the field {name} of an OpenStruct, which is the name of a method"));
    }
    vm.world.allocate(64)?;
    fields.insert(Value::Symbol(name), value);
    Ok(())
}

/// The field of a symbol or string; `nil` if there is none.
fn get(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    Ok(fields(call.this)?.get(&Value::Symbol(name)).unwrap_or(Value::Nil))
}

/// Readers and writers of fields: `it.name`, `it.name = value`.
fn access(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some((Value::Symbol(name), arguments)) = call.arguments.split_first() else {
        return unsupported("OpenStruct#method_missing with these arguments");
    };
    let text = name.name();
    match (text.strip_suffix('='), arguments) {
        (Some(field), [value]) if !field.is_empty() => {
            let field = vm.world.intern(field)?;
            set(vm, call.this, field, value.clone())?;
            Ok(value.clone())
        }
        (None, []) => Ok(fields(call.this)?.get(&Value::Symbol(*name)).unwrap_or(Value::Nil)),
        _ => unsupported(format!("OpenStruct#{text} with these arguments")),
    }
}

fn each_pair(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = call.needed_block()?;
    for (name, value) in fields(call.this)?.snapshot() {
        vm.yield_to(block, &[Value::array(vec![name, value])])?;
    }
    Ok(call.this.clone())
}

fn equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Ok(other) = fields(call.required(0)) else { return Ok(Value::Bool(false)) };
    let own = fields(call.this)?;
    Ok(Value::Bool(vm.equal(&Value::Hash(own), &Value::Hash(other))?))
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let fields = fields(call.this)?;
    let shown = vm.guarded("inspect", call.this, |vm| {
        let mut shown = Vec::new();
        for (name, value) in fields.snapshot() {
            shown.push(format!(" {}={}", vm.to_s(&name)?.lossy(), vm.inspect(&value)?));
        }
        Ok(shown.join(","))
    })?;
    let class = vm.class_of(call.this).display_name();
    let text = format!("#<{class}{}>", shown.as_deref().unwrap_or(" ..."));
    vm.world.allocate(text.len())?;
    Ok(Value::string(text))
}

const METHODS: &[NativeMethod] = &[
    exactly("[]", 1, get),
    exactly("[]=", 2, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        set(vm, call.this, name, call.required(1).clone())?;
        Ok(call.required(1).clone())
    }),
    exactly("to_h", 0, |vm, call| {
        if call.block.is_some() {
            return unsupported("OpenStruct#to_h with a block");
        }
        let entries = fields(call.this)?.snapshot();
        vm.world.allocate(entries.len() * 64)?;
        Ok(Value::hash(entries))
    }),
    exactly("each_pair", 0, each_pair),
    exactly("==", 1, equal),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    at_least("method_missing", 1, access),
    exactly("instance_variables", 0, |_, call| match call.this {
        // A subclass may set variables before or after the table.
        Value::Object(it) if it.variables().is_empty() => Ok(Value::array(vec![Value::symbol("@table")])),
        _ => unsupported("OpenStruct#instance_variables of an object with others"),
    }),
    exactly("instance_variable_get", 1, |vm, call| match vm.expect_name(call.required(0))?.name().as_str() {
        "@table" => Ok(Value::Hash(fields(call.this)?)),
        _ => unsupported("OpenStruct#instance_variable_get of another variable"),
    }),
    refused("instance_variable_set"),
    refused("instance_variable_defined?"),
    refused("remove_instance_variable"),
    refused("respond_to?"),
    refused("dig"),
    refused("delete_field"),
    refused("hash"),
    refused("eql?"),
    refused("dup"),
    refused("clone"),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[NativeClass {
    name: "OpenStruct",
    superclass: Some("Object"),
    methods: &[METHODS],
    singleton_methods: &[&[between("new", 0, 1, new)]],
    ..NativeClass::EMPTY
}];

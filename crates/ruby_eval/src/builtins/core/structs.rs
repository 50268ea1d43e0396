//! `Struct`. The members of an object are among its variables, under names without a sign.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Class, Data, HashObject, Method, MethodBody, Object, Visibility};
use crate::vm::Override;
use crate::{Symbol, Value, Vm};

/// `Struct`
pub(in crate::builtins) static STRUCT: NativeClass = NativeClass {
    name: "Struct",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton_methods: &[&[
        at_least("new", 0, new).with_keywords(),
        at_least("[]", 0, new).with_keywords(),
        exactly("members", 0, |_, call| {
            let members = members_of_class(class_of(call)?);
            Ok(Value::array(members.into_iter().map(Value::Symbol).collect()))
        }),
        exactly("keyword_init?", 0, |_, call| Ok(keyword_init(class_of(call)?))),
    ]],
    ..NativeClass::EMPTY
};

/// The state of an object whose members are among its variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members;

impl Data for Members {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(Members))
    }
}

/// The hidden variables of a class with its members, and whether they are given by name.
const MEMBERS: &str = "__members__";
const KEYWORD_INIT: &str = "__keyword_init__";

static METHODS: &[NativeMethod] = &[
    at_least("initialize", 0, initialize).with_keywords(),
    exactly("to_a", 0, |_, call| Ok(Value::array(values(call.this)))),
    exactly("deconstruct", 0, |_, call| Ok(Value::array(values(call.this)))),
    exactly("values", 0, |_, call| Ok(Value::array(values(call.this)))),
    exactly("members", 0, |_, call| {
        Ok(Value::array(members(call.this).into_iter().map(Value::Symbol).collect()))
    }),
    exactly("size", 0, |_, call| Ok(Value::Integer(i64::try_from(members(call.this).len()).unwrap_or(0)))),
    exactly("length", 0, |_, call| Ok(Value::Integer(i64::try_from(members(call.this).len()).unwrap_or(0)))),
    exactly("to_h", 0, to_h),
    exactly("deconstruct_keys", 1, |vm, call| match call.required(0) {
        Value::Nil => to_h(vm, call),
        Value::Array(keys) => {
            let (keys, hash) = (keys.snapshot(), Rc::new(HashObject::default()));
            for key in keys {
                let Value::Symbol(name) = key else { break };
                let Some(value) = member(call.this, name) else { break };
                hash.insert(key, value);
            }
            Ok(Value::Hash(hash))
        }
        other => {
            let class = vm.conversion_name(other);
            vm.type_error(format!("wrong argument type {class} (expected Array or nil)"))
        }
    }),
    exactly("each", 0, |vm, call| {
        let Some(block) = call.block else { return Ok(vm.enumerator(call.this, call.name, &[])) };
        for value in values(call.this) {
            vm.yield_to(block, &[value])?;
        }
        Ok(call.this.clone())
    }),
    exactly("each_pair", 0, |vm, call| {
        let Some(block) = call.block else { return Ok(vm.enumerator(call.this, call.name, &[])) };
        for name in members(call.this) {
            let value = member(call.this, name).unwrap_or(Value::Nil);
            vm.yield_to(block, &[Value::array(vec![Value::Symbol(name), value])])?;
        }
        Ok(call.this.clone())
    }),
    exactly("[]", 1, |vm, call| {
        let name = find(vm, call.this, call.required(0))?;
        Ok(member(call.this, name).unwrap_or(Value::Nil))
    }),
    exactly("[]=", 2, |vm, call| {
        let name = find(vm, call.this, call.required(0))?;
        vm.set_instance_variable(call.this, name, call.required(1).clone())?;
        Ok(call.required(1).clone())
    }),
    at_least("dig", 1, |vm, call| {
        let value = match call.required(0) {
            Value::Symbol(name) => member(call.this, *name).unwrap_or(Value::Nil),
            other => {
                let name = find(vm, call.this, other)?;
                member(call.this, name).unwrap_or(Value::Nil)
            }
        };
        match call.arguments.len() == 1 || value.is_nil() {
            true => Ok(value),
            false => vm.call(&value, "dig", &call.arguments[1..]),
        }
    }),
    at_least("values_at", 0, |vm, call| {
        let all = Value::array(values(call.this));
        let length = members(call.this).len();
        for index in call.arguments {
            if let Value::Integer(_) = index {
                check_offset(vm, index, length)?;
            }
        }
        vm.call(&all, "values_at", call.arguments)
    }),
    exactly("==", 1, |vm, call| same(vm, call, false)),
    exactly("eql?", 1, |vm, call| same(vm, call, true)),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    exactly("select", 0, |vm, call| {
        let all = Value::array(values(call.this));
        vm.send(&all, call.name, &[], None, call.block)
    }),
    exactly("filter", 0, |vm, call| {
        let all = Value::array(values(call.this));
        vm.send(&all, call.name, &[], None, call.block)
    }),
];

fn class_of<'a>(call: &Call<'a>) -> Result<&'a Rc<Class>> {
    match call.this {
        Value::Class(it) => Ok(it),
        _ => unsupported("a struct without a class"),
    }
}

/// The hidden variable of a class or of one of its superclasses.
fn hidden(class: &Rc<Class>, name: &str) -> Option<Value> {
    let name = Symbol::new(name);
    let mut class = Some(Rc::clone(class));
    while let Some(it) = class {
        if let Some(value) = it.variables.borrow().get(&name) {
            return Some(value.clone());
        }
        class = it.superclass.clone();
    }
    None
}

fn members_of_class(class: &Rc<Class>) -> Vec<Symbol> {
    let Some(Value::Array(members)) = hidden(class, MEMBERS) else { return Vec::new() };
    let name = |it: &Value| match it {
        Value::Symbol(name) => Some(*name),
        _ => None,
    };
    members.items().iter().filter_map(name).collect()
}

fn keyword_init(class: &Rc<Class>) -> Value {
    hidden(class, KEYWORD_INIT).unwrap_or(Value::Nil)
}

fn members(this: &Value) -> Vec<Symbol> {
    match this {
        Value::Object(it) => members_of_class(&it.class()),
        _ => Vec::new(),
    }
}

fn member(this: &Value, name: Symbol) -> Option<Value> {
    match this {
        Value::Object(it) => it.variable(name),
        _ => None,
    }
}

fn values(this: &Value) -> Vec<Value> {
    members(this).into_iter().map(|it| member(this, it).unwrap_or(Value::Nil)).collect()
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = class_of(call)?;
    if Rc::ptr_eq(class, vm.world.class("Struct")) {
        return match &*call.name.name() {
            "new" => new_struct(vm, call),
            _ => vm.no_method(call.this, call.name),
        };
    }
    vm.world.allocate(64)?;
    let object = Value::Object(Object::new(Rc::clone(class), Members));
    vm.send(&object, names::INITIALIZE, call.arguments, call.keywords, call.block)?;
    Ok(object)
}

fn new_struct(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if let Some(Value::String(_)) = call.argument(0) {
        return unsupported("Struct.new with a name");
    }
    if call.arguments.is_empty() {
        return vm.argument_error("wrong number of arguments (given 0, expected 1+)");
    }
    let mut members: Vec<Symbol> = Vec::new();
    for name in call.arguments {
        let name = vm.expect_name(name)?;
        if members.contains(&name) {
            return vm.argument_error(format!("duplicate member: {name}"));
        }
        members.push(name);
    }
    let superclass = Rc::clone(vm.world.class("Struct"));
    let class = vm.subclass(&superclass, "", None)?;
    let names = Value::array(members.iter().map(|it| Value::Symbol(*it)).collect());
    class.variables.borrow_mut().insert(Symbol::new(MEMBERS), names);
    let by_name = call.keyword("keyword_init").unwrap_or(Value::Nil);
    class.variables.borrow_mut().insert(Symbol::new(KEYWORD_INIT), by_name);
    for name in members {
        let writer = vm.world.intern(&format!("{name}="))?;
        let visibility = Visibility::Public;
        vm.add_method(&class, name, Method { body: MethodBody::Reader(name), visibility })?;
        vm.add_method(&class, writer, Method { body: MethodBody::Writer(name), visibility })?;
    }
    let value = Value::Class(Rc::clone(&class));
    if let Some(block) = call.block {
        let changed = Override { self_value: value.clone(), definee: class, method: None };
        vm.call_block_with(block, changed, std::slice::from_ref(&value), None)?;
    }
    Ok(value)
}

fn initialize(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Object(object) = call.this else { return unsupported("a struct without an object") };
    let members = members_of_class(&object.class());
    let by_name = match keyword_init(&object.class()) {
        Value::Nil => call.keywords.is_some() && call.arguments.is_empty(),
        other => other.is_truthy(),
    };
    if by_name {
        if !call.arguments.is_empty() {
            return vm.wrong_number(call.arguments.len(), "0");
        }
        let given = call.keywords.map(|it| it.snapshot()).unwrap_or_default();
        let is_member = |key: &Value| matches!(key, Value::Symbol(it) if members.contains(it));
        let unknown: Vec<&Value> = given.iter().map(|(key, _)| key).filter(|key| !is_member(key)).collect();
        if !unknown.is_empty() {
            let mut names = Vec::new();
            for key in unknown {
                names.push(vm.to_s(key)?.lossy());
            }
            return vm.argument_error(format!("unknown keywords: {}", names.join(", ")));
        }
        for name in &members {
            object.set_variable(*name, Value::Nil);
        }
        for (key, value) in given {
            if let Value::Symbol(name) = key {
                object.set_variable(name, value);
            }
        }
        return Ok(Value::Nil);
    }
    let mut given = call.arguments.to_vec();
    given.extend(call.keywords.map(|it| Value::Hash(Rc::clone(it))));
    if given.len() > members.len() {
        return vm.argument_error("struct size differs");
    }
    let mut given = given.into_iter();
    for name in members {
        object.set_variable(name, given.next().unwrap_or(Value::Nil));
    }
    Ok(Value::Nil)
}

fn to_h(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = Rc::new(HashObject::default());
    for name in members(call.this) {
        let value = member(call.this, name).unwrap_or(Value::Nil);
        match call.block {
            None => hash.insert(Value::Symbol(name), value),
            Some(block) => match vm.yield_to(block, &[Value::Symbol(name), value])? {
                Value::Array(pair) if pair.len() == 2 => {
                    let pair = pair.snapshot();
                    vm.check_key(&pair[0])?;
                    hash.insert(pair[0].clone(), pair[1].clone());
                }
                Value::Array(pair) => {
                    let count = pair.len();
                    return vm
                        .argument_error(format!("element has wrong array length (expected 2, was {count})"));
                }
                other => {
                    let class = vm.conversion_name(&other);
                    return vm.type_error(format!("wrong element type {class} (expected array)"));
                }
            },
        }
    }
    Ok(Value::Hash(hash))
}

fn check_offset(vm: &mut Vm<'_>, index: &Value, size: usize) -> Result<usize> {
    let offset = vm.expect_integer(index)?;
    let found = match usize::try_from(offset) {
        Ok(offset) => Some(offset).filter(|it| *it < size),
        Err(_) => usize::try_from(offset.unsigned_abs()).ok().and_then(|it| size.checked_sub(it)),
    };
    match found {
        Some(found) => Ok(found),
        None => {
            let side = if offset < 0 { "small" } else { "large" };
            vm.raise_named("IndexError", format!("offset {offset} too {side} for struct(size:{size})"))
        }
    }
}

/// The member of a name or offset.
fn find(vm: &mut Vm<'_>, this: &Value, key: &Value) -> Result<Symbol> {
    let members = members(this);
    match key {
        Value::Symbol(_) | Value::String(_) => {
            let name = vm.expect_name(key)?;
            match members.contains(&name) {
                true => Ok(name),
                false => vm.raise_name("NameError", this, name, format!("no member '{name}' in struct")),
            }
        }
        _ => {
            let offset = check_offset(vm, key, members.len())?;
            Ok(members[offset])
        }
    }
}

fn same(vm: &mut Vm<'_>, call: &Call<'_>, strictly: bool) -> Result {
    let other = call.required(0);
    if call.this.is_identical(other) {
        return Ok(Value::Bool(true));
    }
    if !Rc::ptr_eq(&vm.real_class_of(call.this), &vm.real_class_of(other)) {
        return Ok(Value::Bool(false));
    }
    let (left, right) = (Value::array(values(call.this)), Value::array(values(other)));
    let same = vm.guarded("Struct#==", call.this, |vm| match strictly {
        true => Ok(vm.call(&left, "eql?", std::slice::from_ref(&right))?.is_truthy()),
        false => vm.equal(&left, &right),
    })?;
    Ok(Value::Bool(same.unwrap_or(true)))
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = vm.real_class_of(call.this).name.borrow().clone();
    let name = if class.is_empty() { String::new() } else { format!("{class} ") };
    let text = vm.guarded("inspect", call.this, |vm| {
        let mut parts = Vec::new();
        for member_name in members(call.this) {
            let value = member(call.this, member_name).unwrap_or(Value::Nil);
            parts.push(format!("{member_name}={}", vm.inspect(&value)?));
        }
        Ok(parts.join(", "))
    })?;
    Ok(Value::string(match text {
        Some(text) => format!("#<struct {name}{text}>"),
        None => format!("#<struct {}:...>", name.trim_end()),
    }))
}

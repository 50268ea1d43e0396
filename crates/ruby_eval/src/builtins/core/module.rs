//! `Module` and `Class`.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Class, ClassKind, Object};
use crate::vm::Override;
use crate::{Value, Vm};

/// `Module`
pub(in crate::builtins) static MODULE: NativeClass = NativeClass {
    name: "Module",
    superclass: Some("Object"),
    methods: &[METHODS, super::module_methods::METHODS, super::module_methods::CONSTANTS],
    singleton_methods: &[&[exactly("new", 0, new_module)]],
    ..NativeClass::EMPTY
};

/// `Class`
pub(in crate::builtins) static CLASS: NativeClass = NativeClass {
    name: "Class",
    superclass: Some("Module"),
    methods: &[&[
        at_least("new", 0, new).with_keywords(),
        exactly("allocate", 0, |vm, call| allocate(vm, call.this)),
        exactly("superclass", 0, |_, call| {
            let mut class = class_of(call)?.superclass.clone();
            while let Some(it) =
                class.clone().filter(|it| it.kind == ClassKind::Singleton && Vm::attached(it).is_none())
            {
                class = it.superclass.clone();
            }
            Ok(class.map_or(Value::Nil, Value::Class))
        }),
        exactly("inherited", 1, |_, _| Ok(Value::Nil)),
    ]],
    singleton_methods: &[&[between("new", 0, 1, new_class)]],
    ..NativeClass::EMPTY
};

/// The class or module that a method was called on.
pub(super) fn class_of<'a>(call: &Call<'a>) -> Result<&'a Rc<Class>> {
    match call.this {
        Value::Class(it) => Ok(it),
        _ => unsupported("a method of Module on another object"),
    }
}

/// A class or module argument.
pub(super) fn expect_class<'a>(vm: &mut Vm<'_>, value: &'a Value) -> Result<&'a Rc<Class>> {
    match value {
        Value::Class(it) => Ok(it),
        _ => {
            let class = vm.conversion_name(value);
            vm.type_error(format!("wrong argument type {class} (expected Module)"))
        }
    }
}

/// The name of a class or module as `to_s` returns it.
pub(super) fn text(vm: &mut Vm<'_>, class: &Rc<Class>) -> Result<String> {
    if class.kind == ClassKind::Singleton {
        return match Vm::attached(class) {
            Some(object) => Ok(format!("#<Class:{}>", vm.inspect(&object)?)),
            None => unsupported("the address of an object"),
        };
    }
    let name = class.name.borrow().clone();
    match name.is_empty() {
        true => unsupported("the address of an object"),
        false => Ok(name),
    }
}

static METHODS: &[NativeMethod] = &[
    exactly("name", 0, |_, call| {
        let name = class_of(call)?.name.borrow().clone();
        Ok(match name.is_empty() {
            true => Value::Nil,
            false => Value::string(name),
        })
    }),
    exactly("to_s", 0, |vm, call| text(vm, class_of(call)?).map(Value::string)),
    exactly("inspect", 0, |vm, call| text(vm, class_of(call)?).map(Value::string)),
    exactly("===", 1, |vm, call| Ok(Value::Bool(vm.class_of(call.required(0)).is_a(class_of(call)?)))),
    exactly("==", 1, |_, call| Ok(Value::Bool(call.this.is_identical(call.required(0))))),
    exactly("<", 1, |vm, call| order(vm, call, |order| order.map(|it| it < 0))),
    exactly("<=", 1, |vm, call| order(vm, call, |order| order.map(|it| it <= 0))),
    exactly(">", 1, |vm, call| order(vm, call, |order| order.map(|it| it > 0))),
    exactly(">=", 1, |vm, call| order(vm, call, |order| order.map(|it| it >= 0))),
    exactly("<=>", 1, |_, call| match call.required(0) {
        Value::Class(other) => Ok(compare(class_of(call)?, other).map_or(Value::Nil, Value::Integer)),
        _ => Ok(Value::Nil),
    }),
    exactly("ancestors", 0, |_, call| {
        Ok(Value::array(class_of(call)?.ancestors().into_iter().map(Value::Class).collect()))
    }),
    exactly("included_modules", 0, |_, call| {
        let modules = class_of(call)?.ancestors().into_iter().filter(|it| it.kind == ClassKind::Module);
        Ok(Value::array(modules.map(Value::Class).collect()))
    }),
    exactly("include?", 1, |vm, call| {
        let module = expect_class(vm, call.required(0))?;
        let class = class_of(call)?;
        Ok(Value::Bool(!Rc::ptr_eq(class, module) && module.kind == ClassKind::Module && class.is_a(module)))
    }),
    at_least("include", 1, |vm, call| {
        let class = class_of(call)?;
        for module in call.arguments.iter().rev() {
            let it = expect_module(vm, module)?;
            vm.include_module(class, it)?;
            vm.call_hook(module, names::INCLUDED, call.this.clone())?;
        }
        Ok(call.this.clone())
    }),
    at_least("prepend", 1, |vm, call| {
        let class = class_of(call)?;
        for module in call.arguments.iter().rev() {
            let it = expect_module(vm, module)?;
            vm.prepend_module(class, it)?;
            vm.call_hook(module, names::PREPENDED, call.this.clone())?;
        }
        Ok(call.this.clone())
    }),
    exactly("included", 1, |_, _| Ok(Value::Nil)),
    exactly("extended", 1, |_, _| Ok(Value::Nil)),
    exactly("prepended", 1, |_, _| Ok(Value::Nil)),
    exactly("method_added", 1, |_, _| Ok(Value::Nil)),
    between("module_eval", 0, 3, class_eval),
    between("class_eval", 0, 3, class_eval),
    at_least("module_exec", 0, class_exec).with_keywords(),
    at_least("class_exec", 0, class_exec).with_keywords(),
];

fn expect_module<'a>(vm: &mut Vm<'_>, value: &'a Value) -> Result<&'a Rc<Class>> {
    match value {
        Value::Class(it) if it.kind == ClassKind::Module => Ok(it),
        _ => {
            let class = vm.real_class_of(value).display_name();
            vm.type_error(format!("wrong argument type {class} (expected module)"))
        }
    }
}

/// -1 if the class is a descendant of the other, 1 if it is an ancestor; None if they are not related.
fn compare(class: &Rc<Class>, other: &Rc<Class>) -> Option<i64> {
    match (Rc::ptr_eq(class, other), class.is_a(other), other.is_a(class)) {
        (true, ..) => Some(0),
        (_, true, _) => Some(-1),
        (_, _, true) => Some(1),
        _ => None,
    }
}

fn order(vm: &mut Vm<'_>, call: &Call<'_>, decide: impl Fn(Option<i64>) -> Option<bool>) -> Result {
    match call.required(0) {
        Value::Class(other) => Ok(decide(compare(class_of(call)?, other)).map_or(Value::Nil, Value::Bool)),
        _ => vm.type_error("compared with non class/module"),
    }
}

fn evaluated_in(class: &Rc<Class>) -> Override {
    Override { self_value: Value::Class(Rc::clone(class)), definee: Rc::clone(class), method: None }
}

fn class_eval(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else { return unsupported(format!("{} of a text", call.name)) };
    let changed = evaluated_in(class_of(call)?);
    vm.call_block_with(block, changed, std::slice::from_ref(call.this), None)
}

fn class_exec(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else {
        return vm.raise_named("LocalJumpError", "no block given (yield)");
    };
    let changed = evaluated_in(class_of(call)?);
    vm.call_block_with(block, changed, call.arguments, call.keywords)
}

/// An object of a class without state of its own; classes written in Rust set it in `initialize`.
fn allocate(vm: &mut Vm<'_>, this: &Value) -> Result {
    let Value::Class(class) = this else { return unsupported("allocate") };
    if class.kind == ClassKind::Singleton {
        return vm.type_error("can't create instance of singleton class");
    }
    let core = &vm.world.core;
    let without = [&core.nil, &core.true_, &core.false_, &core.integer, &core.float, &core.symbol];
    if without.iter().any(|it| Rc::ptr_eq(it, class)) {
        let name = class.display_name();
        let this = this.clone();
        return vm.raise_no_method(&this, names::NEW, format!("undefined method `new' for {name}:Class"));
    }
    let known = [
        &core.string,
        &core.array,
        &core.hash,
        &core.range,
        &core.regexp,
        &core.match_data,
        &core.proc,
        &core.module,
        &core.class,
    ];
    if known.iter().any(|it| Rc::ptr_eq(it, class)) {
        return unsupported(format!("{}.new", class.display_name()));
    }
    vm.world.allocate(128)?;
    Ok(Value::Object(Object::new(Rc::clone(class), ())))
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let object = allocate(vm, call.this)?;
    vm.send(&object, names::INITIALIZE, call.arguments, call.keywords, call.block)?;
    Ok(object)
}

fn new_class(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let superclass = match call.argument(0) {
        None => Rc::clone(&vm.world.object),
        Some(Value::Class(it)) if it.kind != ClassKind::Module => Rc::clone(it),
        Some(other) => {
            let class = vm.real_class_of(other).display_name();
            return vm.type_error(format!(
                "superclass must be a instance of Class (given an instance of {class})"
            ));
        }
    };
    let class = vm.subclass(&superclass, "", None)?;
    let value = Value::Class(Rc::clone(&class));
    vm.call_hook(&Value::Class(superclass), names::INHERITED, value.clone())?;
    if let Some(block) = call.block {
        vm.call_block_with(block, evaluated_in(&class), std::slice::from_ref(&value), None)?;
    }
    Ok(value)
}

fn new_module(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let module = vm.new_module("", None)?;
    let value = Value::Class(Rc::clone(&module));
    if let Some(block) = call.block {
        vm.call_block_with(block, evaluated_in(&module), std::slice::from_ref(&value), None)?;
    }
    Ok(value)
}

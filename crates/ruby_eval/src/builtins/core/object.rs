//! Methods of all objects.

use std::rc::Rc;

use indexmap::IndexSet;

use crate::builtins::lib::file::expand;
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{
    ArrayObject, Class, ClassKind, HashObject, Method, MethodBody, Object, StringObject, Visibility,
};
use crate::vm::{Override, to_big};
use crate::{Symbol, Value, Vm};

/// Methods of `BasicObject`.
pub(super) static BASIC: &[NativeMethod] = &[
    at_least("initialize", 0, initialize),
    exactly("==", 1, is_identical),
    exactly("!=", 1, not_equal),
    exactly("!", 0, |_, call| Ok(Value::Bool(!call.this.is_truthy()))),
    exactly("equal?", 1, is_identical),
    exactly("__id__", 0, object_id),
    at_least("__send__", 1, send).with_keywords(),
    between("instance_eval", 0, 3, instance_eval),
    at_least("instance_exec", 0, instance_exec).with_keywords(),
    at_least("method_missing", 1, method_missing).with_keywords(),
];

/// Methods of all objects.
pub(super) static METHODS: &[NativeMethod] = &[
    exactly("class", 0, |vm, call| Ok(Value::Class(vm.real_class_of(call.this)))),
    exactly("singleton_class", 0, |vm, call| vm.singleton_class(call.this).map(Value::Class)),
    exactly("nil?", 0, |_, call| Ok(Value::Bool(call.this.is_nil()))),
    exactly("is_a?", 1, is_a),
    exactly("kind_of?", 1, is_a),
    exactly("instance_of?", 1, instance_of),
    exactly("===", 1, |vm, call| Ok(Value::Bool(vm.equal(call.this, call.required(0))?))),
    // As in Ruby 3.1; Ruby 3.2 no longer has it.
    exactly("=~", 1, |_, _| Ok(Value::Nil)),
    exactly("!~", 1, |vm, call| {
        let matches = vm.call(call.this, "=~", call.arguments)?;
        Ok(Value::Bool(!matches.is_truthy()))
    }),
    exactly("eql?", 1, |_, call| {
        Ok(Value::Bool(crate::value::Key::new(call.this) == crate::value::Key::new(call.required(0))))
    }),
    exactly("<=>", 1, |vm, call| {
        Ok(if vm.equal(call.this, call.required(0))? { Value::Integer(0) } else { Value::Nil })
    }),
    exactly("hash", 0, |vm, call| {
        unsupported(format!("{}#hash", vm.real_class_of(call.this).display_name()))
    }),
    exactly("object_id", 0, object_id),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, |vm, call| match vm.is_main(call.this) {
        true => Ok(Value::from("main")),
        false => unsupported("the address of an object"),
    }),
    exactly("itself", 0, |_, call| Ok(call.this.clone())),
    exactly("tap", 0, |vm, call| {
        vm.yield_to(call.needed_block()?, std::slice::from_ref(call.this))?;
        Ok(call.this.clone())
    }),
    exactly("then", 0, |vm, call| vm.yield_to(call.needed_block()?, std::slice::from_ref(call.this))),
    exactly("yield_self", 0, |vm, call| vm.yield_to(call.needed_block()?, std::slice::from_ref(call.this))),
    exactly("freeze", 0, freeze),
    exactly("frozen?", 0, |vm, call| Ok(Value::Bool(vm.is_frozen(call.this)))),
    exactly("dup", 0, |vm, call| copy(vm, call.this, false, None)),
    exactly("clone", 0, clone).with_keywords(),
    exactly("initialize_copy", 1, |_, call| Ok(call.this.clone())),
    at_least("extend", 1, extend),
    between("respond_to?", 1, 2, respond_to),
    exactly("respond_to_missing?", 2, |_, _| Ok(Value::Bool(false))),
    at_least("send", 1, send).with_keywords(),
    at_least("public_send", 1, public_send).with_keywords(),
];

/// Reflection methods of all objects.
pub(super) static REFLECTION: &[NativeMethod] = &[
    exactly("instance_variable_get", 1, |vm, call| {
        let name = variable_name(vm, call.required(0))?;
        vm.instance_variable(call.this, name)
    }),
    exactly("instance_variable_set", 2, |vm, call| {
        let name = variable_name(vm, call.required(0))?;
        vm.set_instance_variable(call.this, name, call.required(1).clone())?;
        Ok(call.required(1).clone())
    }),
    exactly("instance_variable_defined?", 1, |vm, call| {
        let name = variable_name(vm, call.required(0))?;
        Ok(Value::Bool(match call.this {
            Value::Object(it) if it.variable(name).is_some() => true,
            Value::Object(it) if it.data().reads_scope() => vm.has_scope_variable(it, name)?,
            Value::Object(it) => {
                vm.check_is_unset(it, name)?;
                false
            }
            Value::Class(it) => it.variables.borrow().contains_key(&name),
            _ => false,
        }))
    }),
    exactly("instance_variables", 0, |vm, call| {
        let names: Vec<Value> = match call.this {
            Value::Object(it) if it.data().reads_scope() => {
                let mut names = vm.scope_variables(it)?;
                names.extend(it.variables().keys());
                let names: IndexSet<Symbol> = names.into_iter().collect();
                shown(names.iter())
            }
            Value::Object(it) => shown(it.variables().keys()),
            Value::Class(it) => shown(it.variables.borrow().keys()),
            _ => Vec::new(),
        };
        Ok(Value::array(names))
    }),
    exactly("remove_instance_variable", 1, remove_instance_variable),
    between("define_singleton_method", 1, 2, |vm, call| {
        let class = vm.singleton_class(call.this)?;
        let name = vm.expect_name(call.required(0))?;
        let body = super::module_methods::body_of(vm, call.argument(1), call.block)?;
        vm.add_method(&class, name, Method { body, visibility: Visibility::Public })?;
        Ok(Value::Symbol(name))
    }),
    between("singleton_methods", 0, 1, |vm, call| {
        let names: Vec<Value> = match call.this {
            Value::Class(it) => own_names(&vm.world.meta(it)),
            Value::Object(it) if it.class().kind == ClassKind::Singleton => own_names(&it.class()),
            Value::Hash(it) => match it.singleton() {
                Some(class) if !class.included.borrow().is_empty() => {
                    return unsupported("singleton_methods of an extended hash");
                }
                Some(class) => own_names(&class),
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        match call.this {
            Value::Class(it) if it.is_builtin() => {
                unsupported(format!("{}.singleton_methods", it.display_name()))
            }
            _ => Ok(Value::array(names)),
        }
    }),
];

/// The names of variables with a sign; others are the state of built-in classes.
fn shown<'a>(names: impl Iterator<Item = &'a Symbol>) -> Vec<Value> {
    names.filter(|it| it.name().starts_with('@')).map(|it| Value::Symbol(*it)).collect()
}

fn own_names(class: &Rc<Class>) -> Vec<Value> {
    let methods = class.methods.borrow();
    let public = methods
        .iter()
        .filter(|(_, it)| it.visibility == Visibility::Public && !matches!(it.body, MethodBody::Undefined));
    public.map(|(name, _)| Value::Symbol(*name)).collect()
}

fn initialize(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    // A class with its own `initialize` may pass on any arguments.
    let class = vm.class_of(call.this);
    let is_own = vm
        .lookup(&class, names::INITIALIZE)
        .is_some_and(|it| !matches!(it.method.body, MethodBody::Native(_)));
    match call.arguments.len() {
        0 => Ok(Value::Nil),
        _ if is_own => Ok(Value::Nil),
        count => vm.wrong_number(count, "0"),
    }
}

fn is_identical(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(call.this.is_identical(call.required(0))))
}

fn not_equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(!vm.equal(call.this, call.required(0))?))
}

fn object_id(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.this {
        Value::Nil => Ok(Value::Integer(8)),
        Value::Bool(true) => Ok(Value::Integer(20)),
        Value::Bool(false) => Ok(Value::Integer(0)),
        Value::Integer(it) if (-(1 << 62)..(1 << 62)).contains(it) => {
            Ok(to_big(call.this).map_or(Value::Nil, |it| Value::big(it * 2 + 1)))
        }
        _ => unsupported("the identity of an object"),
    }
}

fn send(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    vm.send(call.this, name, &call.arguments[1..], call.keywords, call.block)
}

fn public_send(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    let caller = crate::vm::CallerKind::Outside;
    vm.dispatch(call.this, name, &call.arguments[1..], call.keywords, call.block, caller)
}

fn method_missing(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    vm.check_known(call.this, name)?;
    vm.no_method(call.this, name)
}

fn instance_eval(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let changed = with_self(vm, call.this)?;
    let Some(block) = call.block else { return evaluate_file(vm, call, changed) };
    vm.call_block_with(block, changed, std::slice::from_ref(call.this), None)
}

/// `instance_eval(File.read(path), path)`: the definitions of a file in Ruby become those of the object. Other texts are not
/// evaluated, and neither are statements of the file, which would see the variables of the caller.
fn evaluate_file(vm: &mut Vm<'_>, call: &Call<'_>, changed: Override) -> Result {
    let other = "instance_eval of a text";
    let [Value::String(text), Value::String(path)] = call.arguments else { return unsupported(other) };
    let Some(path) = expand(&path.lossy(), None) else { return unsupported(other) };
    let Some(name) = path.strip_suffix(".rb") else { return unsupported(other) };
    let read = vm.host.read_file(&path);
    if vm.answered(read)?.as_deref() != Some(&*text.bytes()) {
        return unsupported(other);
    }
    let found = vm.host.ruby_file(name);
    match vm.answered(found)? {
        Some(program) if program.only_defines_methods() => vm.run_within(&program, changed),
        _ => unsupported(other),
    }
}

fn instance_exec(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else {
        return vm.raise_named("LocalJumpError", "no block given (yield)");
    };
    let changed = with_self(vm, call.this)?;
    vm.call_block_with(block, changed, call.arguments, call.keywords)
}

fn with_self(vm: &mut Vm<'_>, this: &Value) -> Result<Override> {
    let definee = match this {
        Value::Object(_) | Value::Class(_) => vm.singleton_class(this)?,
        _ => vm.class_of(this),
    };
    Ok(Override { self_value: this.clone(), definee, method: None })
}

fn is_a(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.required(0) {
        Value::Class(class) => Ok(Value::Bool(vm.class_of(call.this).is_a(class))),
        _ => vm.type_error("class or module required"),
    }
}

fn instance_of(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.required(0) {
        Value::Class(class) => Ok(Value::Bool(Rc::ptr_eq(&vm.real_class_of(call.this), class))),
        _ => vm.type_error("class or module required"),
    }
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.this {
        _ if vm.is_main(call.this) => Ok(Value::from("main")),
        // Without variables the text is that of `to_s`, where the class has its own.
        _ => unsupported("the address of an object"),
    }
}

fn freeze(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.this {
        Value::String(it) => it.freeze(),
        Value::Array(it) => it.freeze(),
        Value::Hash(it) => it.freeze(),
        Value::Object(it) => it.freeze(),
        Value::Class(it) => it.is_frozen.set(true),
        _ => {}
    }
    Ok(call.this.clone())
}

fn clone(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let freeze = match call.keyword("freeze") {
        None | Some(Value::Nil) => None,
        Some(Value::Bool(it)) => Some(it),
        Some(other) => {
            let text = vm.conversion_name(&other);
            return vm.argument_error(format!("unexpected value for freeze: {text}"));
        }
    };
    copy(vm, call.this, true, freeze)
}

/// `dup`, or `clone` which keeps singleton methods and whether the object is frozen.
fn copy(vm: &mut Vm<'_>, this: &Value, is_clone: bool, freeze: Option<bool>) -> Result {
    let copy = match this {
        Value::String(it) => {
            vm.world.allocate(it.bytes().len())?;
            Value::String(Rc::new(StringObject::new(it.bytes().clone(), it.encoding())))
        }
        Value::Array(it) => {
            vm.world.allocate(it.len() * 16)?;
            Value::Array(Rc::new(ArrayObject::new(it.snapshot())))
        }
        Value::Hash(it) => {
            if is_clone && it.singleton().is_some() {
                return unsupported("`clone` of an object with methods of its own");
            }
            vm.world.allocate(it.len() * 40)?;
            let hash = Rc::new(HashObject::default());
            for (key, value) in it.snapshot() {
                hash.insert(key, value);
            }
            if let Some(default) = it.default_value() {
                hash.set_default_value(default);
            }
            hash.set_default_proc(it.default_proc());
            Value::Hash(hash)
        }
        Value::Object(object) => {
            let Some(data) = object.data().copy() else {
                let class = object.class().display_name();
                return unsupported(format!("{class}#{}", if is_clone { "clone" } else { "dup" }));
            };
            let class = object.class();
            if is_clone && class.kind == ClassKind::Singleton {
                return unsupported("`clone` of an object with methods of its own");
            }
            let new = Object::boxed(class.without_singletons(), data);
            *new.variables_mut() = object.variables().clone();
            let value = Value::Object(new);
            vm.send(&value, names::INITIALIZE_COPY, std::slice::from_ref(this), None, None)?;
            value
        }
        Value::Class(_) => return unsupported("a copy of a class"),
        Value::Proc(_) | Value::Match(_) | Value::Range(_) | Value::Regexp(_) => this.clone(),
        _ => return Ok(this.clone()),
    };
    let is_frozen = freeze.unwrap_or(is_clone && vm.is_frozen(this));
    if is_frozen {
        vm.call(&copy, "freeze", &[])?;
    }
    Ok(copy)
}

fn extend(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    for module in call.arguments.iter().rev() {
        let Value::Class(module) = module else {
            let class = vm.conversion_name(module);
            return vm.type_error(format!("wrong argument type {class} (expected module)"));
        };
        if module.kind != ClassKind::Module {
            return vm.type_error("wrong argument type Class (expected module)");
        }
        let class = vm.singleton_class(call.this)?;
        vm.include_module(&class, module)?;
        vm.call_hook(&Value::Class(Rc::clone(module)), names::EXTENDED, call.this.clone())?;
    }
    Ok(call.this.clone())
}

fn respond_to(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    let with_private = call.argument(1).is_some_and(Value::is_truthy);
    if let Some(entry) = vm.find_entry(call.this, name) {
        return Ok(Value::Bool(entry.method.visibility == Visibility::Public || with_private));
    }
    let own = vm.find_entry(call.this, names::RESPOND_TO_MISSING);
    if let Some(entry) = own.filter(|it| !matches!(it.method.body, MethodBody::Native(_))) {
        let arguments = [Value::Symbol(name), Value::Bool(with_private)];
        let answer = vm.invoke(&entry, call.this, names::RESPOND_TO_MISSING, &arguments, None, None)?;
        if answer.is_truthy() {
            return Ok(Value::Bool(true));
        }
    }
    // Methods of real Ruby that are not implemented exist, unless they are private functions.
    Ok(Value::Bool(match vm.known_method(call.this, name) {
        Some(known) => !known.starts_with("Kernel#") && !known.starts_with("Object#") || with_private,
        None => {
            vm.check_libraries(name)?;
            false
        }
    }))
}

fn variable_name(vm: &mut Vm<'_>, value: &Value) -> Result<Symbol> {
    let name = vm.expect_name(value)?;
    let text = name.name();
    let is_valid = text.strip_prefix('@').is_some_and(|rest| {
        rest.starts_with(|it: char| it.is_alphabetic() || it == '_' || !it.is_ascii())
            && rest.chars().all(|it| it.is_alphanumeric() || it == '_' || !it.is_ascii())
    });
    match is_valid {
        true => Ok(name),
        false => vm.raise_named("NameError", format!("'{text}' is not allowed as an instance variable name")),
    }
}

fn remove_instance_variable(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = variable_name(vm, call.required(0))?;
    vm.ensure_not_frozen(call.this)?;
    let removed = match call.this {
        // The variable of the scope would be read in its place.
        Value::Object(it) if it.data().reads_scope() => {
            return unsupported("remove_instance_variable in a template");
        }
        Value::Object(it) => it.variables_mut().shift_remove(&name),
        Value::Class(it) => it.variables.borrow_mut().shift_remove(&name),
        _ => None,
    };
    match removed {
        Some(value) => Ok(value),
        None => {
            let described = vm.inspect(call.this)?;
            vm.raise_name(
                "NameError",
                call.this,
                name,
                format!("instance variable {name} not defined for {described}"),
            )
        }
    }
}

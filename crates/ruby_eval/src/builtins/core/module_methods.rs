//! Methods of `Module` that define and look up methods, constants and class variables.

use std::rc::Rc;

use super::module::class_of;
use super::procs::MethodObject;
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Class, ClassKind, Method, MethodBody, Object, Proc, Visibility};
use crate::{Symbol, Value, Vm};

/// Methods that define, change and look up methods.
pub(super) static METHODS: &[NativeMethod] = &[
    between("define_method", 1, 2, define_method),
    exactly("alias_method", 2, |vm, call| {
        let (new, old) = (vm.expect_name(call.required(0))?, vm.expect_name(call.required(1))?);
        vm.alias_method(class_of(call)?, new, old)?;
        Ok(Value::Symbol(new))
    }),
    at_least("undef_method", 0, |vm, call| {
        for name in call.arguments {
            let name = vm.expect_name(name)?;
            vm.undefine_method(class_of(call)?, name)?;
        }
        Ok(call.this.clone())
    }),
    at_least("remove_method", 0, remove_method),
    at_least("attr_reader", 0, |vm, call| attributes(vm, call, true, false)),
    at_least("attr_writer", 0, |vm, call| attributes(vm, call, false, true)),
    at_least("attr_accessor", 0, |vm, call| attributes(vm, call, true, true)),
    at_least("attr", 0, |vm, call| attributes(vm, call, true, false)),
    at_least("public", 0, |vm, call| visibility(vm, call, Visibility::Public)),
    at_least("private", 0, |vm, call| visibility(vm, call, Visibility::Private)),
    at_least("protected", 0, |vm, call| visibility(vm, call, Visibility::Protected)),
    at_least("module_function", 0, module_function),
    at_least("private_class_method", 0, |vm, call| class_visibility(vm, call, Visibility::Private)),
    at_least("public_class_method", 0, |vm, call| class_visibility(vm, call, Visibility::Public)),
    between("method_defined?", 1, 2, |vm, call| has_method(vm, call, |it| it != Visibility::Private)),
    between("public_method_defined?", 1, 2, |vm, call| has_method(vm, call, |it| it == Visibility::Public)),
    between("private_method_defined?", 1, 2, |vm, call| has_method(vm, call, |it| it == Visibility::Private)),
    between("protected_method_defined?", 1, 2, |vm, call| {
        has_method(vm, call, |it| it == Visibility::Protected)
    }),
    exactly("instance_method", 1, |vm, call| {
        let (class, name) = (class_of(call)?, vm.expect_name(call.required(0))?);
        match vm.lookup(class, name) {
            Some(entry) => {
                let of = Rc::clone(vm.world.class("UnboundMethod"));
                Ok(Value::Object(Object::new(of, MethodObject { receiver: None, name, entry })))
            }
            None => vm.undefined_method(class, name),
        }
    }),
    between("instance_methods", 0, 1, |vm, call| names(vm, call, |it| it != Visibility::Private)),
    between("public_instance_methods", 0, 1, |vm, call| names(vm, call, |it| it == Visibility::Public)),
    between("private_instance_methods", 0, 1, |vm, call| names(vm, call, |it| it == Visibility::Private)),
];

/// Methods for constants and class variables.
pub(super) static CONSTANTS: &[NativeMethod] = &[
    between("const_get", 1, 2, const_get),
    exactly("const_set", 2, |vm, call| {
        let name = constant_name(vm, call.required(0))?;
        vm.set_constant(class_of(call)?, name, call.required(1).clone())?;
        Ok(call.required(1).clone())
    }),
    between("const_defined?", 1, 2, const_defined),
    between("constants", 0, 1, |_, call| {
        let class = class_of(call)?;
        if class.is_builtin() {
            return unsupported(format!("{}.constants", class.display_name()));
        }
        let mut names: Vec<Value> = Vec::new();
        for it in class.ancestors().iter().take_while(|it| !it.is_builtin()) {
            let hidden = it.private_constants.borrow();
            let constants = it.constants.borrow();
            names.extend(constants.keys().filter(|it| !hidden.contains(it)).map(|it| Value::Symbol(*it)));
            if call.argument(0).is_some_and(|it| !it.is_truthy()) {
                break;
            }
        }
        Ok(Value::array(names))
    }),
    exactly("remove_const", 1, |vm, call| {
        let (class, name) = (class_of(call)?, constant_name(vm, call.required(0))?);
        if class.is_builtin() && !Rc::ptr_eq(class, &vm.world.object) {
            return unsupported("remove_const of a built-in class");
        }
        match class.constants.borrow_mut().shift_remove(&name) {
            Some(value) => Ok(value),
            None => unsupported(format!("removing the constant {name}")),
        }
    }),
    at_least("private_constant", 0, |vm, call| mark_constants(vm, call, true)),
    at_least("public_constant", 0, |vm, call| mark_constants(vm, call, false)),
    at_least("deprecate_constant", 0, |_, call| Ok(call.this.clone())),
    exactly("class_variable_get", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        vm.class_variable_of(class_of(call)?, name)
    }),
    exactly("class_variable_set", 2, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        vm.set_class_variable_of(class_of(call)?, name, call.required(1).clone())?;
        Ok(call.required(1).clone())
    }),
    exactly("class_variable_defined?", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        let has = |it: &Rc<Class>| it.class_variables.borrow().contains_key(&name);
        Ok(Value::Bool(class_of(call)?.ancestors().iter().any(has)))
    }),
    between("class_variables", 0, 1, |_, call| {
        let mut names = Vec::new();
        for it in class_of(call)?.ancestors() {
            names.extend(it.class_variables.borrow().keys().map(|it| Value::Symbol(*it)));
        }
        Ok(Value::array(names))
    }),
];

/// The body of a method that is given as a block, proc or method.
pub(super) fn body_of(
    vm: &mut Vm<'_>,
    value: Option<&Value>,
    block: Option<&Rc<Proc>>,
) -> Result<MethodBody> {
    match (value, block) {
        (Some(Value::Proc(it)), _) => Ok(MethodBody::Proc(Rc::clone(it))),
        (Some(Value::Object(object)), _) => match object.data_as::<MethodObject>() {
            Some(it) => Ok(it.entry.method.body.clone()),
            None => {
                let class = object.class().display_name();
                vm.type_error(format!("wrong argument type {class} (expected Proc/Method/UnboundMethod)"))
            }
        },
        (Some(other), _) => {
            let class = vm.real_class_of(other).display_name();
            vm.type_error(format!("wrong argument type {class} (expected Proc/Method/UnboundMethod)"))
        }
        (None, Some(block)) => Ok(MethodBody::Proc(Rc::clone(block))),
        (None, None) => vm.argument_error("tried to create Proc object without a block"),
    }
}

fn define_method(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    let body = body_of(vm, call.argument(1), call.block)?;
    let class = class_of(call)?;
    // The current visibility only applies in the body of the class itself.
    let visibility = match vm.stack.last() {
        Some(it) if it.context.parent.is_none() && it.context.self_value().is_identical(call.this) => {
            it.context.frame.visibility.get()
        }
        _ => Visibility::Public,
    };
    vm.add_method(class, name, Method { body, visibility })?;
    Ok(Value::Symbol(name))
}

fn remove_method(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = class_of(call)?;
    for name in call.arguments {
        let name = vm.expect_name(name)?;
        if class.is_builtin() {
            return unsupported(format!("removing {}#{name}", class.display_name()));
        }
        let removed = class.methods.borrow_mut().shift_remove(&name);
        if removed.is_none() {
            let text = super::module::text(vm, class)?;
            let message = format!("method `{name}' not defined in {text}");
            return vm.raise_name("NameError", call.this, name, message);
        }
        vm.world.class_changed(class, Some(name));
    }
    Ok(call.this.clone())
}

fn attributes(vm: &mut Vm<'_>, call: &Call<'_>, read: bool, write: bool) -> Result {
    let class = class_of(call)?;
    let visibility = vm.visibility_cells().map_or(Visibility::Public, |(it, _)| it.get());
    let mut defined = Vec::new();
    for name in call.arguments {
        let name = vm.expect_name(name)?;
        let text = name.name();
        let variable = vm.world.intern(&format!("@{text}"))?;
        if read {
            vm.add_method(class, name, Method { body: MethodBody::Reader(variable), visibility })?;
            defined.push(Value::Symbol(name));
        }
        if write {
            let writer = vm.world.intern(&format!("{text}="))?;
            vm.add_method(class, writer, Method { body: MethodBody::Writer(variable), visibility })?;
            defined.push(Value::Symbol(writer));
        }
    }
    Ok(Value::array(defined))
}

/// The names in arguments: one array of them, or each of them.
fn names_of(vm: &mut Vm<'_>, arguments: &[Value]) -> Result<Vec<Symbol>> {
    let listed;
    let arguments = match arguments {
        [Value::Array(it)] => {
            listed = it.snapshot();
            &listed[..]
        }
        other => other,
    };
    arguments.iter().map(|it| vm.expect_name(it)).collect()
}

fn given(call: &Call<'_>) -> Value {
    match call.arguments {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    }
}

fn visibility(vm: &mut Vm<'_>, call: &Call<'_>, visibility: Visibility) -> Result {
    if call.arguments.is_empty() {
        if let Some((current, is_module_function)) = vm.visibility_cells() {
            current.set(visibility);
            is_module_function.set(false);
        }
        return Ok(Value::Nil);
    }
    for name in names_of(vm, call.arguments)? {
        vm.set_visibility(class_of(call)?, name, visibility)?;
    }
    Ok(given(call))
}

fn class_visibility(vm: &mut Vm<'_>, call: &Call<'_>, visibility: Visibility) -> Result {
    let meta = vm.world.meta(class_of(call)?);
    for name in names_of(vm, call.arguments)? {
        vm.set_visibility(&meta, name, visibility)?;
    }
    Ok(Value::Nil)
}

fn module_function(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = class_of(call)?;
    if class.kind == ClassKind::Class {
        return vm.type_error("module_function must be called for modules");
    }
    if call.arguments.is_empty() {
        if let Some((_, is_module_function)) = vm.visibility_cells() {
            is_module_function.set(true);
        }
        return Ok(Value::Nil);
    }
    let meta = vm.world.meta(class);
    for name in names_of(vm, call.arguments)? {
        let Some(entry) = vm.lookup(class, name) else { return vm.undefined_method(class, name) };
        let body = entry.method.body.clone();
        vm.add_method(&meta, name, Method { body, visibility: Visibility::Public })?;
        vm.set_visibility(class, name, Visibility::Private)?;
    }
    Ok(given(call))
}

fn has_method(vm: &mut Vm<'_>, call: &Call<'_>, fits: impl Fn(Visibility) -> bool) -> Result {
    let (class, name) = (class_of(call)?, vm.expect_name(call.required(0))?);
    let found = match call.argument(1).is_none_or(Value::is_truthy) {
        true => vm.lookup(class, name).map(|it| it.method.visibility),
        false => class
            .own_method(name)
            .filter(|it| !matches!(it.body, MethodBody::Undefined))
            .map(|it| it.visibility),
    };
    match found {
        Some(visibility) => Ok(Value::Bool(fits(visibility))),
        None => {
            vm.check_known_instance(class, name)?;
            Ok(Value::Bool(false))
        }
    }
}

fn names(_: &mut Vm<'_>, call: &Call<'_>, fits: impl Fn(Visibility) -> bool) -> Result {
    let class = class_of(call)?;
    let own_only = call.argument(0).is_some_and(|it| !it.is_truthy());
    if class.is_builtin() || (!own_only && class.kind != ClassKind::Module) {
        return unsupported(format!("{} of built-in classes", call.name));
    }
    let mut found: Vec<Symbol> = Vec::new();
    let classes = if own_only { vec![Rc::clone(class)] } else { class.ancestors() };
    for it in classes {
        for (name, method) in it.methods.borrow().iter() {
            let is_there = !matches!(method.body, MethodBody::Undefined) && fits(method.visibility);
            if is_there && !found.contains(name) {
                found.push(*name);
            }
        }
    }
    Ok(Value::array(found.into_iter().map(Value::Symbol).collect()))
}

/// `private_constant :A, …` and `public_constant :A, …`
fn mark_constants(vm: &mut Vm<'_>, call: &Call<'_>, is_private: bool) -> Result {
    let class = class_of(call)?;
    if class.is_builtin() {
        return unsupported(format!("{} of a built-in class", call.name));
    }
    for name in call.arguments {
        let name = constant_name(vm, name)?;
        if !class.constants.borrow().contains_key(&name) {
            let (this, text) =
                (call.this.clone(), format!("constant {}::{name} not defined", class.display_name()));
            return vm.raise_name("NameError", &this, name, text);
        }
        let mut hidden = class.private_constants.borrow_mut();
        hidden.retain(|it| *it != name);
        if is_private {
            hidden.push(name);
        }
    }
    Ok(Value::Nil)
}

fn constant_name(vm: &mut Vm<'_>, value: &Value) -> Result<Symbol> {
    let name = vm.expect_name(value)?;
    let text = name.name();
    let is_valid =
        text.starts_with(char::is_uppercase) && text.chars().all(|it| it.is_alphanumeric() || it == '_');
    match is_valid {
        true => Ok(name),
        false => vm.raise_named("NameError", format!("wrong constant name {text}")),
    }
}

/// The parts of `A::B::C`, the class or module in which the first one is looked up, and whether it was written `::A`.
fn path(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<(Rc<Class>, Vec<Symbol>)> {
    let text = vm.expect_name(call.required(0))?.name();
    let (start, text) = match text.strip_prefix("::") {
        Some(rest) => (Rc::clone(&vm.world.object), rest),
        None => (Rc::clone(class_of(call)?), &*text),
    };
    let mut names = Vec::new();
    for part in text.split("::") {
        names.push(constant_name(vm, &Value::string(part))?);
    }
    Ok((start, names))
}

fn const_get(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (mut module, names) = path(vm, call)?;
    let mut value = Value::Class(Rc::clone(&module));
    for (index, name) in names.into_iter().enumerate() {
        match &value {
            Value::Class(it) => module = Rc::clone(it),
            _ => return vm.type_error(format!("{} does not refer to class/module", module.display_name())),
        }
        // The first one is also looked up at the top level.
        let object = Rc::clone(&vm.world.object);
        let inherits = call.argument(1).is_none_or(Value::is_truthy);
        let found = match vm.inherited_constant(&module, name)? {
            None if index == 0 && inherits => vm.inherited_constant(&object, name)?,
            found => found,
        };
        value = match found {
            Some(value) => value,
            None => vm.constant_in(&module, name)?,
        };
    }
    Ok(value)
}

fn const_defined(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (mut module, names) = path(vm, call)?;
    for (index, name) in names.iter().enumerate() {
        let object = Rc::clone(&vm.world.object);
        let found = match vm.inherited_constant(&module, *name)? {
            None if index == 0 => vm.inherited_constant(&object, *name)?,
            found => found,
        };
        match found {
            Some(Value::Class(it)) => module = it,
            Some(_) if index + 1 == names.len() => return Ok(Value::Bool(true)),
            Some(_) => return vm.type_error(format!("{name} does not refer to class/module")),
            // It may exist in Ruby, without being implemented here.
            None if module.is_builtin() => return unsupported(name.to_string()),
            None => return Ok(Value::Bool(false)),
        }
    }
    Ok(Value::Bool(true))
}

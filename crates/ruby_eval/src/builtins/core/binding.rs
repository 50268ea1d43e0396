//! `Binding`: the variables of a place in the code.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Data, Object};
use crate::vm::Context;
use crate::{Symbol, Value, Vm};

/// `Binding`
pub(in crate::builtins) static BINDING: NativeClass =
    NativeClass { name: "Binding", superclass: Some("Object"), methods: &[METHODS], ..NativeClass::EMPTY };

/// Functions of `Kernel` that access the variables of their caller.
pub(super) static FUNCTIONS: &[NativeMethod] = &[
    exactly("binding", 0, |vm, _| {
        let Some(activation) = vm.stack.last() else { return unsupported("binding") };
        let place = Place(Rc::clone(&activation.context));
        let class = Rc::clone(vm.world.class("Binding"));
        Ok(Value::Object(Object::new(class, place)))
    }),
    exactly("local_variables", 0, |vm, _| {
        let Some(activation) = vm.stack.last() else { return unsupported("local_variables") };
        Ok(variables(&activation.context))
    }),
];

#[derive(Debug)]
struct Place(Rc<Context>);

impl Data for Place {}

static METHODS: &[NativeMethod] = &[
    exactly("local_variable_get", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        match find(&place(call)?, name) {
            Some((context, slot)) => Ok(context.local(slot)),
            None => missing(vm, call, name),
        }
    }),
    exactly("local_variable_set", 2, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        match find(&place(call)?, name) {
            Some((context, slot)) => {
                context.set_local(slot, call.required(1).clone());
                Ok(call.required(1).clone())
            }
            None => unsupported("a new local variable of a binding"),
        }
    }),
    exactly("local_variable_defined?", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        Ok(Value::Bool(find(&place(call)?, name).is_some()))
    }),
    exactly("local_variables", 0, |_, call| Ok(variables(&place(call)?))),
    exactly("receiver", 0, |_, call| Ok(place(call)?.self_value().clone())),
];

fn place(call: &Call<'_>) -> Result<Rc<Context>> {
    let context = match call.this {
        Value::Object(it) => it.data_as::<Place>().map(|it| Rc::clone(&it.0)),
        _ => None,
    };
    context.map_or_else(|| unsupported("a binding without a place"), Ok)
}

fn names_of(context: &Context) -> &[Symbol] {
    match &context.block {
        Some(block) => &block.locals,
        None => &context.frame.code.locals,
    }
}

fn find(context: &Rc<Context>, name: Symbol) -> Option<(Rc<Context>, u32)> {
    let mut next = Some(context);
    while let Some(context) = next {
        if let Some(slot) = names_of(context).iter().position(|it| *it == name) {
            return Some((Rc::clone(context), u32::try_from(slot).ok()?));
        }
        next = context.parent.as_ref();
    }
    None
}

fn variables(context: &Rc<Context>) -> Value {
    let mut all: Vec<Symbol> = Vec::new();
    let mut next = Some(context);
    while let Some(context) = next {
        for name in names_of(context) {
            if *name != names::EMPTY && !all.contains(name) {
                all.push(*name);
            }
        }
        next = context.parent.as_ref();
    }
    Value::array(all.into_iter().map(Value::Symbol).collect())
}

fn missing(vm: &mut Vm<'_>, call: &Call<'_>, name: Symbol) -> Result {
    vm.raise_name(
        "NameError",
        call.this,
        name,
        format!("local variable `{name}' is not defined for {}", "#<Binding>"),
    )
}

//! `Proc`, `Method`, `UnboundMethod`.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::program::tree::{KeywordRest, Parameter, Parameters};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Class, ClassKind, Data, MethodBody, Object, Proc, ProcBody};
use crate::vm::Entry;
use crate::{Symbol, Value, Vm};

/// `Proc`
pub(in crate::builtins) static PROC: NativeClass = NativeClass {
    name: "Proc",
    superclass: Some("Object"),
    methods: &[PROC_METHODS],
    singleton_methods: &[&[exactly("new", 0, |vm, call| match call.block {
        Some(block) => Ok(Value::Proc(Rc::clone(block))),
        None => vm.argument_error("tried to create Proc object without a block"),
    })]],
    ..NativeClass::EMPTY
};

/// `Method`
pub(in crate::builtins) static METHOD: NativeClass = NativeClass {
    name: "Method",
    superclass: Some("Object"),
    methods: &[BOUND, COMMON],
    ..NativeClass::EMPTY
};

/// `UnboundMethod`
pub(in crate::builtins) static UNBOUND_METHOD: NativeClass = NativeClass {
    name: "UnboundMethod",
    superclass: Some("Object"),
    methods: &[UNBOUND, COMMON],
    ..NativeClass::EMPTY
};

/// A method as an object.
#[derive(Clone, Debug)]
pub(in crate::builtins) struct MethodObject {
    /// The receiver; None for unbound methods.
    pub(in crate::builtins) receiver: Option<Value>,
    pub(in crate::builtins) name: Symbol,
    pub(in crate::builtins) entry: Rc<Entry>,
}

impl Data for MethodObject {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

static PROC_METHODS: &[NativeMethod] = &[
    at_least("call", 0, call).with_keywords(),
    at_least("()", 0, call).with_keywords(),
    at_least("yield", 0, call).with_keywords(),
    at_least("[]", 0, call).with_keywords(),
    at_least("===", 0, call).with_keywords(),
    exactly("to_proc", 0, |_, call| Ok(call.this.clone())),
    exactly("lambda?", 0, |_, call| Ok(Value::Bool(proc_of(call)?.is_lambda))),
    exactly("arity", 0, |vm, call| {
        let block = proc_of(call)?;
        proc_arity(vm, block).map(Value::Integer)
    }),
    between("parameters", 0, 0, |_, call| {
        let block = proc_of(call)?;
        match &block.body {
            ProcBody::Code { code, .. } => {
                Ok(parameter_list(parameters(&code.parameters, &code.locals, block.is_lambda)))
            }
            _ => unsupported("Proc#parameters"),
        }
    }),
    between("curry", 0, 1, curry),
    exactly(">>", 1, |vm, call| compose(vm, call.this.clone(), call.required(0).clone())),
    exactly("<<", 1, |vm, call| compose(vm, call.required(0).clone(), call.this.clone())),
    exactly("==", 1, |_, call| Ok(Value::Bool(call.this.is_identical(call.required(0))))),
    exactly("eql?", 1, |_, call| Ok(Value::Bool(call.this.is_identical(call.required(0))))),
    exactly("inspect", 0, |_, _| unsupported("the address of an object")),
    exactly("to_s", 0, |_, _| unsupported("the address of an object")),
    exactly("binding", 0, |_, _| unsupported("Proc#binding")),
];

fn proc_of<'a>(call: &Call<'a>) -> Result<&'a Rc<Proc>> {
    match call.this {
        Value::Proc(it) => Ok(it),
        _ => unsupported("a subclass of Proc"),
    }
}

fn call(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = proc_of(call)?;
    vm.call_block(block, call.arguments, call.keywords, call.block)
}

fn proc_arity(vm: &mut Vm<'_>, block: &Rc<Proc>) -> Result<i64> {
    match &block.body {
        ProcBody::Code { code, .. } => Ok(code.parameters.arity(block.is_lambda)),
        ProcBody::Symbol(_) => Ok(-2),
        ProcBody::Method { receiver, name } => match vm.find_entry(receiver, *name) {
            Some(entry) => method_arity(&entry),
            None => Ok(-1),
        },
        ProcBody::Native(_) => unsupported("Proc#arity"),
    }
}

fn method_arity(entry: &Entry) -> Result<i64> {
    match &entry.method.body {
        MethodBody::Code { code, .. } => Ok(code.parameters.arity(true)),
        MethodBody::Native(native) => Ok(match native.most {
            Some(most) if most == native.least => i64::try_from(most).unwrap_or(0),
            // Methods in C have no number for each of several forms.
            _ => -1,
        }),
        MethodBody::Reader(_) => Ok(0),
        MethodBody::Writer(_) => Ok(1),
        MethodBody::Proc(body) => match &body.body {
            ProcBody::Code { code, .. } => Ok(code.parameters.arity(true)),
            _ => unsupported("Method#arity"),
        },
        MethodBody::Undefined => Ok(0),
    }
}

/// The kinds and names of the parameters of a method in Ruby.
pub(in crate::builtins) fn parameters_of(entry: &Entry) -> Option<Vec<(&'static str, Option<Symbol>)>> {
    match &entry.method.body {
        MethodBody::Code { code, .. } => Some(parameters(&code.parameters, &code.locals, true)),
        MethodBody::Proc(body) => match &body.body {
            ProcBody::Code { code, .. } => Some(parameters(&code.parameters, &code.locals, true)),
            _ => None,
        },
        _ => None,
    }
}

fn parameter_list(list: Vec<(&'static str, Option<Symbol>)>) -> Value {
    let pair = |(kind, name): (&str, Option<Symbol>)| {
        let mut items = vec![Value::symbol(kind)];
        match name {
            Some(name) => items.push(Value::Symbol(name)),
            // A nested parameter of a block.
            None if kind == "opt" => items.push(Value::Nil),
            None => {}
        }
        Value::array(items)
    };
    Value::array(list.into_iter().map(pair).collect())
}

fn parameters(
    parameters: &Parameters,
    locals: &[Symbol],
    is_strict: bool,
) -> Vec<(&'static str, Option<Symbol>)> {
    let pair = |kind: &'static str, name: Option<Symbol>| (kind, name.filter(|it| *it != names::EMPTY));
    let name = |slot: u32| locals.get(slot as usize).copied();
    let required = if is_strict { "req" } else { "opt" };
    let of = |parameter: &Parameter| match parameter {
        Parameter::Slot(slot) => pair(required, name(*slot)),
        Parameter::Nested(_) => pair(required, None),
    };
    let mut all: Vec<_> = parameters.required.iter().map(of).collect();
    all.extend(parameters.optional.iter().map(|(slot, _)| pair("opt", name(*slot))));
    if let Some(Some(slot)) = parameters.rest {
        all.push(pair("rest", name(slot)));
    }
    all.extend(parameters.post.iter().map(of));
    for keyword in &parameters.keywords {
        all.push(pair(if keyword.default.is_none() { "keyreq" } else { "key" }, Some(keyword.name)));
    }
    match parameters.keyword_rest {
        KeywordRest::Rest(slot) => all.push(pair("keyrest", name(slot))),
        KeywordRest::Refused => all.push(pair("nokey", None)),
        _ => {}
    }
    if let Some(slot) = parameters.block {
        all.push(pair("block", name(slot)));
    }
    all
}

fn curry(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(proc_of(call)?);
    let arity = proc_arity(vm, &block)?;
    let needed = match call.argument(0) {
        Some(count) => {
            let count = vm.expect_integer(count)?;
            if block.is_lambda && arity >= 0 && count != arity {
                return vm.wrong_number(usize::try_from(count).unwrap_or(0), &arity.to_string());
            }
            count
        }
        None if arity < 0 => -arity - 1,
        None => arity,
    };
    let needed = usize::try_from(needed).unwrap_or(0);
    if needed == 0 && call.argument(0).is_none() && arity >= 0 {
        return vm.call_block(&block, &[], None, None);
    }
    Ok(Value::Proc(curried(block, needed, Vec::new())))
}

fn curried(block: Rc<Proc>, needed: usize, so_far: Vec<Value>) -> Rc<Proc> {
    Proc::native(move |vm, arguments| {
        let all = [&so_far[..], arguments].concat();
        match all.len() >= needed {
            true => vm.call_block(&block, &all, None, None),
            false => Ok(Value::Proc(curried(Rc::clone(&block), needed, all))),
        }
    })
}

/// A lambda that calls the first, and the second with its value.
fn compose(vm: &mut Vm<'_>, first: Value, second: Value) -> Result {
    for callable in [&first, &second] {
        if !vm.responds_to_symbol(callable, names::CALL) {
            return vm.type_error("callable object is expected");
        }
    }
    Ok(Value::Proc(Proc::native(move |vm, arguments| {
        let value = vm.send(&first, names::CALL, arguments, None, None)?;
        vm.send(&second, names::CALL, &[value], None, None)
    })))
}

static BOUND: &[NativeMethod] = &[
    at_least("call", 0, call_method).with_keywords(),
    at_least("[]", 0, call_method).with_keywords(),
    at_least("===", 0, call_method).with_keywords(),
    exactly("to_proc", 0, |_, call| {
        let it = method_of(call)?;
        let receiver = it.receiver.clone().unwrap_or(Value::Nil);
        Ok(Value::Proc(Rc::new(Proc { body: ProcBody::Method { receiver, name: it.name }, is_lambda: true })))
    }),
    exactly("receiver", 0, |_, call| Ok(method_of(call)?.receiver.unwrap_or(Value::Nil))),
    exactly("unbind", 0, |vm, call| {
        let it = method_of(call)?;
        let class = Rc::clone(vm.world.class("UnboundMethod"));
        Ok(Value::Object(Object::new(class, MethodObject { receiver: None, ..it })))
    }),
    exactly(">>", 1, |vm, call| compose(vm, call.this.clone(), call.required(0).clone())),
    exactly("<<", 1, |vm, call| compose(vm, call.required(0).clone(), call.this.clone())),
    between("curry", 0, 1, |vm, call| {
        let block = vm.call(call.this, "to_proc", &[])?;
        vm.call(&block, "curry", call.arguments)
    }),
];

static UNBOUND: &[NativeMethod] = &[
    exactly("bind", 1, |vm, call| {
        let it = method_of(call)?;
        let receiver = call.required(0).clone();
        if it.entry.owner.kind != ClassKind::Module && !vm.class_of(&receiver).is_a(&it.entry.owner) {
            let class = it.entry.owner.display_name();
            return vm.type_error(format!("bind argument must be an instance of {class}"));
        }
        let class = Rc::clone(vm.world.class("Method"));
        Ok(Value::Object(Object::new(class, MethodObject { receiver: Some(receiver), ..it })))
    }),
    at_least("bind_call", 1, |vm, call| {
        let it = method_of(call)?;
        vm.invoke(&it.entry, call.required(0), it.name, &call.arguments[1..], call.keywords, call.block)
    })
    .with_keywords(),
];

static COMMON: &[NativeMethod] = &[
    exactly("name", 0, |_, call| Ok(Value::Symbol(method_of(call)?.name))),
    exactly("owner", 0, owner),
    exactly("arity", 0, |_, call| method_arity(&method_of(call)?.entry).map(Value::Integer)),
    exactly("parameters", 0, |_, call| match parameters_of(&method_of(call)?.entry) {
        Some(list) => Ok(parameter_list(list)),
        None => unsupported("Method#parameters"),
    }),
    exactly("source_location", 0, |vm, call| match &method_of(call)?.entry.method.body {
        MethodBody::Code { code, .. } => {
            vm.host.reads_places(&code.source.path);
            Ok(Value::array(vec![
                Value::string(code.source.path.to_string()),
                Value::Integer(i64::from(code.line.number())),
            ]))
        }
        MethodBody::Native(_) => Ok(Value::Nil),
        _ => unsupported("Method#source_location"),
    }),
];

/// The class or module that has the method; for methods in Rust, the one that has it in real Ruby.
fn owner(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let it = method_of(call)?;
    if !matches!(it.entry.method.body, MethodBody::Native(_)) {
        return Ok(Value::Class(Rc::clone(&it.entry.owner)));
    }
    let known = it.receiver.and_then(|receiver| vm.known_method(&receiver, it.name));
    match known.as_deref().and_then(|it| it.split_once('#')) {
        Some((class, _)) if vm.world.has_class(class) => Ok(Value::Class(Rc::clone(vm.world.class(class)))),
        _ => unsupported("Method#owner"),
    }
}

fn method_of(call: &Call<'_>) -> Result<MethodObject> {
    let data = match call.this {
        Value::Object(it) => it.data_as::<MethodObject>().map(|it| it.clone()),
        _ => None,
    };
    data.map_or_else(|| unsupported("a method without an object"), Ok)
}

fn call_method(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let it = method_of(call)?;
    let receiver = it.receiver.unwrap_or(Value::Nil);
    vm.world.spend(1)?;
    vm.invoke(&it.entry, &receiver, it.name, call.arguments, call.keywords, call.block)
}

/// Methods of all objects that return methods as objects.
pub(super) static METHOD_OF: &[NativeMethod] = &[
    exactly("method", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        method_object(vm, call.this, name)
    }),
    exactly("public_method", 1, |vm, call| {
        let name = vm.expect_name(call.required(0))?;
        method_object(vm, call.this, name)
    }),
];

fn method_object(vm: &mut Vm<'_>, this: &Value, name: Symbol) -> Result {
    let Some(entry) = vm.find_entry(this, name) else {
        vm.check_known(this, name)?;
        let class: Rc<Class> = vm.class_of(this);
        let described = match this {
            Value::Class(_) => format!("class `#<Class:{}>'", vm.inspect(this)?),
            _ => format!("class `{}'", class.display_name()),
        };
        return vm.raise_name("NameError", this, name, format!("undefined method `{name}' for {described}"));
    };
    let class = Rc::clone(vm.world.class("Method"));
    Ok(Value::Object(Object::new(class, MethodObject { receiver: Some(this.clone()), name, entry })))
}
